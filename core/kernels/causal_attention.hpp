// causal_attention.hpp — causal attention's logits or weights in float32, near the limit of the multipliers.
// logit_ij = scale · q_i·k_j,  weight_ij = e^{logit_ij} / Σ_{l ≤ i} e^{logit_il},  j ≤ i
// Shapes   q, k [rows, features], out [rows, rows], row-major; any alignment. `out` right of the diagonal is not
//          written.
// Error    logits ≤ features · 2^-23 · scale · Σ|q k|; a weight, relative to itself, twice the error of its
//          row's logits plus 1e-6.  Source  attention.hpp, the float64 version for every encoding.
#pragma once

#include "core/kernels/workers.hpp"

#include <span>

namespace posiscope {

enum class AttentionValues { logits, shares };

struct AttentionSize {
    std::int64_t rows = 0;
    std::int64_t features = 0;
    float scale = 1.0F;
    AttentionValues values = AttentionValues::shares;
};

void causal_attention(const AttentionSize& size, std::span<const float> q, std::span<const float> k,
                      std::span<float> out, Workers& workers);

}  // namespace posiscope
