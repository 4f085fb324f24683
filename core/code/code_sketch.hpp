// code_sketch.hpp — an encoding as formulas, independent of a language.
// Expressions use the common subset of Python and C++: + - * /, pow, log, log1p, floor, ceil, min, max, abs and
// pick(condition, yes, no); integers are divided only by numbers with a decimal point.
#pragma once

#include "core/scene/scene.hpp"

#include <vector>

namespace posiscope {

struct CodeLine {
    std::string name, value;
};

// A function of positions beside the main one.
struct CodeFunction {
    std::string name;
    std::vector<std::string> arguments;
    std::string value;
};

struct CodeSketch {
    enum class Makes { table, rotation, bias };

    Makes makes = Makes::table;
    std::string title;
    std::vector<CodeLine> sizes;      // whole numbers: length, d_model, pairs …
    std::vector<CodeLine> constants;  // numbers, and values derived from them
    std::vector<double> divisors;     // LongRoPE's list, one per pair
    // The body of frequency(i) or bias_at(head, query, key); the last line's value is the result.
    std::vector<CodeLine> body;
    std::vector<CodeFunction> functions;  // query_factor(position), distance(query, key)
    bool halves = false;                  // pairs (i, i + pairs) instead of (2i, 2i + 1)
    std::optional<std::int64_t> zero;     // a row of zeros
    // Equations, ", \\quad " between them. Every letter but p, i, j, h and those of the vectors has its own equation, so that
    // the formula can be evaluated (tests/latex.py).
    std::string latex;
};

// The encoding must have a CodeSketch. Refused for settings that it cannot say, such as seeded values or a grid.
Result<CodeSketch> program_of(const Scene& scene);

// With the sizes that a bias for each head, query and key has.
CodeSketch bias_program(const Scene& scene, std::string title);

// A number that both languages read as the same double; and as a formula has it, 10^18 instead of 1e+18.
std::string code_number(double value);
std::string latex_number(double value);

}  // namespace posiscope
