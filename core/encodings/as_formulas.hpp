// as_formulas.hpp — a built-in encoding as the formulas of a typed one, ready to be changed (own.hpp).
// Result   the parameters of the typed encoding: its slots, the numbers of their names in `values`, and `from`.
// Error    logits equal the built-in ones to 1e-12 while angles stay below some 10^3 radians: beyond, formulas multiply
//          doubles where the built-in encoding is exact.
// Refused  for tables, networks and four positions for one token: own.not_…, with the reason.
#pragma once

#include "core/code/code_sketch.hpp"
#include "core/encodings/encodings.hpp"

#include <initializer_list>

namespace posiscope {

Result<Json> as_formulas(const Scene& scene);

// --- For the encodings -----------------------------------------------------------------------------------

struct TypedSlot {
    std::string_view slot;
    std::string text;
};
Json typed_slots(std::initializer_list<TypedSlot> slots, Json values = empty_object());

// A line of a CodeSketch with its other lines put into it; `values` gets the numbers that keep their names. `free` replaces the
// words to which a slot gives values.
struct TypedName {
    std::string_view word, typed;
};
Result<std::string> typed_line(const CodeSketch& program, const Scene& scene, std::string_view line,
                               std::initializer_list<TypedName> free, Json& values);

}  // namespace posiscope
