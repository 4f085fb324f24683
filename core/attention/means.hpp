// means.hpp — one head's attention as a picture of any size sees it: of every pixel the mean of the shares under it. What is
// computed is the block in view, and what its rows' sums need besides; no n × n array is made.
// Cost     d_model · head_dim a position taken with a seeded W, head_dim a query and key taken.
// Error    ≤ 1e-12 of a share before it is rounded to float, where every position is taken.
#pragma once

#include "core/attention/attention.hpp"
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
    double largest = 0.0, usual = 0.0;  // what 99 of 100 of those above 0 do not exceed
    // Every so many-th position is taken, within the view and beyond it (there only the rows' sums are affected): 1, all of
    // them. One that is taken stands for those up to the next.
    std::int64_t every = 1, every_beyond = 1;

    bool sampled() const { return every > 1 || every_beyond > 1; }
};

// No more work than about so many nanoseconds: else fewer positions are taken. Refused as project() refuses.
Result<AttentionMeans> attention_means(const Scene& scene, const AttentionView& view, double nanoseconds);

}  // namespace posiscope
