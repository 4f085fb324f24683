// program.hpp — an encoding as formulas, before they are spelled in a language.
// Expressions are written in what Python and C++ share: + - * /, pow, log, log1p, floor, ceil, min, max, abs and
// pick(condition, yes, no); whole numbers are only divided by numbers with a point.
#pragma once

#include "core/scene/scene.hpp"

#include <vector>

namespace posiscope {

struct CodeLine {
    std::string name, value;
};

struct Program {
    enum class Makes { table, rotation, bias };

    Makes makes = Makes::table;
    std::string title;
    std::vector<CodeLine> sizes;      // whole numbers: length, d_model, pairs …
    std::vector<CodeLine> constants;  // numbers, and what follows from them once
    std::vector<double> divisors;     // LongRoPE's list, one for each pair
    // What frequency(i), or bias_at(head, query, key), computes; the last line's value is the result.
    std::vector<CodeLine> body;
    bool halves = false;               // pairs (i, i + pairs) instead of (2i, 2i + 1)
    std::optional<std::int64_t> zero;  // a row that is all 0
    std::string latex;
};

Result<Program> program_of(const Scene& scene);

// A number as both languages read it, to the last bit.
std::string code_number(double value);

}  // namespace posiscope
