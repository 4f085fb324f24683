// locality.cpp — how far the heads of attention look (core/attention/locality.hpp).
// distance[num_heads], the mean distance of a head's weights; ranked[num_heads], the heads, the most local first;
// weights[num_heads, bins] by distance, and first[bins], the first distance of each bin; every, the queries sampled: one in so
// many.
#include "core/attention/locality.hpp"
#include "core/cost.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scene/content.hpp"

#include <algorithm>

namespace posiscope {
namespace {

constexpr double kWork = 2e10;  // some twenty seconds

Result<std::vector<Shape>> locality_shapes(const Scene& scene) {
    const std::int64_t n = content_length(scene);
    if (n == 0) return refuse("content.no_words");
    const std::int64_t bins = local_bins(n);
    return std::vector<Shape>{{"distance", {scene.num_heads}, "positions"},
                              {"ranked", {scene.num_heads}},
                              {"first", {bins}, "positions"},
                              {"weights", {scene.num_heads, bins}},
                              {"every", {}}};
}

// A head's projections, once more the keys that a block meets, its logits, and slices of the inputs and of W. Several heads are
// counted at the same time, but not past 256 MiB.
double workspace(const Scene& scene) {
    const auto n = static_cast<double>(content_length(scene)), heads = static_cast<double>(scene.num_heads);
    const double one = n * (3.0 * static_cast<double>(head_dim(scene)) + 128.0);
    return std::max(one, std::min(heads * one, 0x1p25)) + 0x1p23;
}

Result<void> fill_locality(const Scene& scene, std::span<Array> arrays) {
    if (seeded_weights(scene.content)) {  // as in attention.cpp; at least 64 queries are sampled
        const auto n = static_cast<double>(content_length(scene));
        announce(static_cast<double>(scene.num_heads) * static_cast<double>(scene.d_model) *
                 static_cast<double>(head_dim(scene)) * (6.0 + 0.25 * (n + std::min(n, 64.0))));
    }
    return locality(scene, kWork).map([&](Locality made) {
        arrays[0].values = std::move(made.distance);
        arrays[1].values.assign(made.ranked.begin(), made.ranked.end());
        arrays[2].values.assign(made.first.begin(), made.first.end());
        arrays[3].values = std::move(made.weights);
        arrays[4].values = {static_cast<double>(made.every)};
    });
}

}  // namespace

extern const Quantity kLocality{"locality", locality_shapes, fill_locality, workspace};

}  // namespace posiscope
