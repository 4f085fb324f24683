// typed.hpp — programs of typed formulas (core/encodings/own.hpp), and score_mod of whatever can be written as formulas.
#pragma once

#include "core/scene/scene.hpp"

#include <string>

namespace posiscope {

// The Scene with its encoding as formulas (as_formulas.hpp), refused where there are none.
Result<Scene> as_typed(const Scene& scene);

// NumPy: frequency(i), position(p), bias(q, k, h), …; inv_freq and rotate(x), or product(q, k) where query and key meet; table;
// logits(q, k, h) of one head's q and k [length, head_dim] before the encoding, without a mask.
Result<std::string> typed_numpy(const Scene& scene);
// PyTorch: the same on tensors of float64. C++20: rotate(x, p) of one token, logit(q, k, m, j, h), table().
Result<std::string> typed_pytorch(const Scene& scene);
Result<std::string> typed_cpp(const Scene& scene);
// The formulas, each as an equation.
Result<std::string> typed_latex(const Scene& scene);

// PyTorch's FlexAttention: score_mod(score, batch, h, q_idx, kv_idx) and rotate(x) beside it, which no score_mod can do; mask_mod, where the
// mask, a window or chunks hide keys.
// Refused where q and k cannot be rotated one by one, and for what is added to the input.
Result<std::string> flex_attention(const Scene& scene);

}  // namespace posiscope
