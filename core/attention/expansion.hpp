// expansion.hpp — splits a logit into the terms of content and of position.
// For an encoding that adds to the input: (x_i + p_i)·(x_j + p_j) = x_i·x_j + x_i·p_j + p_i·x_j + p_i·p_j.
// For every encoding: F(q content on or off, k content on or off) is bilinear in the contents, and
//   position–position F(0, 0);  content–position F(x, 0) − F(0, 0);  position–content F(0, x) − F(0, 0);
//   content–content   the rest.
// So ALiBi's bias is position–position, Shaw's q·aK content–position, Transformer-XL gives its paper's four terms,
// and RoPE, which rotates content, has everything in content–content.
// Shapes   each [heads, n, n], every pair of positions (no mask), the encoding's own scale included; or [queries, keys] of
//          some rows of one head.
// Ids      what a row's ids hide (tokens.hpp) is no number.
// Error    the four sum to the logit within `residual`, a few ulp of the largest term.
#pragma once

#include "core/attention/rows.hpp"

namespace posiscope {

struct Expansion {
    AttentionShape shape;
    std::vector<double> content_content, content_position, position_content, position_position;
    double residual = 0.0;  // largest |sum − logit|
};
Result<Expansion> expansion(const TokenInput& scene);
Result<Expansion> expansion(const TokenInput& scene, RowsAsked asked);

// Position concatenated to content instead of added: vectors [x, p] of twice the width, each half with its own
// projection. logit = (q_x·k_x + q_p·k_p)/√(2 head_dim): no cross terms.
struct Concatenated {
    AttentionShape shape;
    std::vector<double> content, position;  // [heads, n, n]; they sum to the logit
    std::int64_t width = 0;                 // 2 d_model
};
Result<Concatenated> concatenated(const TokenInput& scene);
Result<Concatenated> concatenated(const TokenInput& scene, RowsAsked asked);

// A query of one layout against a key of the other: not a function of the distance. Content as in score.hpp.
struct MixedScores {
    double mixed = 0.0;        // q interleaved, k half
    double interleaved = 0.0;  // both interleaved
    double half = 0.0;         // both half
};
Result<MixedScores> mixed_scores(const ScoreInput& scene, std::int64_t query, std::int64_t key);

// The same for every query (row) and key (column) of 0 … length − 1.
struct MixedMatrix {
    std::vector<double> mixed, interleaved, half;  // [length, length]
};
Result<MixedMatrix> mixed_matrix(const ScoreInput& scene);

// The same for a query and a key that move on together, query + t and key + t, t = 0 … count − 1. `permuted`: both half
// with content in the order of to_halves (rotation.hpp), as after permuting the rows of W_q and W_k; it equals
// `interleaved` within a few ulp of the largest term.
struct MixedAlong {
    std::vector<double> mixed, interleaved, half, permuted;  // [count]
};
Result<MixedAlong> mixed_along(const ScoreInput& scene, std::int64_t query, std::int64_t key,
                               std::int64_t count);

}  // namespace posiscope
