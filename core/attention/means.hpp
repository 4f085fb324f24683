// means.hpp — one head's attention at the resolution of an image: per pixel the mean of the weights under it.
// Computes only the block in view and what the sums of its rows need; there is no n × n array.
// Cost     d_model · head_dim per sampled position with a seeded W, head_dim per sampled query and key.
// Error    ≤ 1e-12 of a weight before it is rounded to float, if every position is sampled.
#pragma once

#include "core/attention/attention.hpp"
#include "core/attention/tokens.hpp"
#include "core/fields/fields.hpp"

namespace posiscope {

struct AttentionView {
    std::int64_t head = 0;
    Range rows, columns;        // queries and keys
    int width = 1, height = 1;  // px
    bool operator==(const AttentionView&) const = default;
};

struct AttentionMeans {
    std::vector<float> values;          // [height, width]; 0 where no query sees a key
    double largest = 0.0, usual = 0.0;  // the 99th percentile of those above 0
    // The stride between sampled positions in the view, and beyond it, where it only affects the sums of rows. Each
    // sampled position represents those up to the next; 1: all are sampled.
    std::int64_t every = 1, every_beyond = 1;

    bool sampled() const { return every > 1 || every_beyond > 1; }
};

// Samples positions so that the work takes about `units` (core/cost.hpp) at most, and 128 MiB. Refused as project() is.
Result<AttentionMeans> attention_means(const TokenInput& scene, const AttentionView& view, double units);

}  // namespace posiscope
