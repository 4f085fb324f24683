// code.hpp — the present encoding as text for elsewhere: programs, a config's dictionary, flags, a formula.
// numpy, pytorch, cpp   a program that computes, in float64: of an additive encoding `table` [length, d_model]; of a
//                       rotary one `inv_freq` [pairs], cos and sin [length, pairs] and a rotation of features; of
//                       a bias `bias` [heads, length, length]. Its formulas are written out, not its numbers.
// rope_parameters       the dictionary of a Hugging Face config
// llama_cpp             the flags of llama.cpp's programs
// latex                 the formula with its numbers
// Offered where the encoding is a formula; where it is made of learned or seeded numbers it is refused.
// Error    the programs agree with core to p · 2^-52 radians at position p, which is what float64 angles allow.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

struct CodeForm {
    std::string_view id;  // also "code.ID" in the string tables
    Result<std::string> (*write)(const Scene& scene);
};
std::span<const CodeForm> code_forms();
const CodeForm* find_code_form(std::string_view id);

}  // namespace posiscope
