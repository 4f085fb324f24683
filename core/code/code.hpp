// code.hpp — the encoding as text for other programs: source code, a config object, flags, a formula.
// numpy, jax, pytorch, cpp   a program that computes in float64 (program.hpp): its formulas as functions, not the values; of
//                       an additive encoding `table` [length, d_model], of a rotary one `inv_freq` [pairs], cos and sin
//                       [length, pairs] and a rotation of features, of a bias `biases` [heads, length, length]; and logits.
//                       Of a checkpoint's content, Python also reads W_q and W_k: q [length, heads, head_dim] and k
//                       [length, key_heads, head_dim] before rotation, and head_logits(head) without a mask.
// flex_attention        score_mod and mask_mod of PyTorch's FlexAttention, and the rotation beside them
// rope_parameters       the object of a Hugging Face config
// config                the config.json that was opened, with the Scene's rotation
// vllm                  the flags of vllm serve
// llama_cpp             the flags of llama.cpp's programs
// latex                 the formula with its numbers
// Refused for an encoding without a formula, such as one of learned or seeded values.
// Error    the programs agree with core to p · 2^-52 radians at position p, the limit of float64 angles.
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
