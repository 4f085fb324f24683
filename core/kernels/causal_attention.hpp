// causal_attention.hpp — causal attention's logits or shares in float32: the lower half, near the multiplier's limit.
// logit_ij = scale · q_i·k_j,  share_ij = e^{logit_ij} / Σ_{l ≤ i} e^{logit_il},  j ≤ i
// Shapes   q, k [rows, features], out [rows, rows], row-major; any alignment. What stands right of the diagonal in
//          `out` stays as it is.
// Error    logits ≤ features · 2^-23 · scale · Σ|q k|; a share relative to itself as much as twice its row's logits,
//          plus 1e-6.  Source  as attention.hpp, which is the same in float64 for every encoding.
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
