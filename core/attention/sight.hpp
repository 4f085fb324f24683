// sight.hpp — which keys a query sees: with a causal mask those up to its own; in a layer with a window those fewer than
// `window` positions away, in one with chunks those of its own chunk. Always one run of keys, its own among them.
// Source   masking_utils.py of Hugging Face: j ≤ i, j > i − sliding_window (both sides without a causal mask), and
//          ⌊j / attention_chunk_size⌋ = ⌊i / attention_chunk_size⌋. Sizes that other code counts otherwise, such as
//          ModernBERT's local_attention, are converted where the config is read (models/config_layers.cpp).
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

struct Sight {
    bool causal = true;
    std::int64_t window = kLastPosition + 1, chunk = kLastPosition + 1;
    std::int64_t start = 0;  // the position of the first row; queries and keys below count from it

    struct Run {
        std::int64_t first = 0, end = 0;  // end is one past the last
        std::int64_t size() const { return end - first; }
        bool operator==(const Run&) const = default;
    };
    Run seen(std::int64_t query, std::int64_t keys) const;

    // Why a query does not see a key.
    enum class Cause { none, later, window, chunk };
    Cause unseen(std::int64_t query, std::int64_t key) const;

    bool operator==(const Sight&) const = default;
};

// That of the Scene's mask and of the layer that is selected.
Sight sight_of(const AttentionInput& scene);

// The same for a query under a causal mask: every score by distance is one.
Sight causal_sight_of(const ScoreInput& scene);

}  // namespace posiscope
