// positions.cpp — which position each token gets (core/positions/positions.hpp).
// positions       of every token: place[n] in its document, document[n], pad[n], and should[n, axes] and used[n, axes], its id
//                 as the newest one.
// used_distances  of every query and key: error[n, n], seen[n, n] by the code's mask in the layer that is selected and meant_seen[n, n] by the one that is
//                 meant, should[n, n, axes] and used[n, n, axes].
// key_shifts      error[4, length]: of a key after 0, 1, 2 … shifts by the offset, in float32, tf32, bfloat16 and float16, the
//                 largest of all pairs (core/precision/precision.hpp).
// stale_keys      stale[length], anew[length]: scores of the earlier one of p and p + k, as key, for q = k = 1 and the query at
//                 each position: its key as it was rotated when it came, and rotated anew (core/scores/stale.hpp); null before it.
#include "core/positions/positions.hpp"
#include "core/cost.hpp"
#include "core/precision/precision.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scores/stale.hpp"

#include <algorithm>
#include <limits>

namespace posiscope {
namespace {

constexpr std::int64_t kMostPairs = 4096;  // tokens whose pairs are listed

Result<std::int64_t> tokens_of(const Scene& scene, std::int64_t most) {
    if (scene.length <= most) return scene.length;
    return refuse("ids.too_many",
                  {{"length", std::to_string(scene.length)}, {"maximum", std::to_string(most)}});
}

Result<std::vector<Shape>> token_shapes(const Scene& scene) {
    return tokens_of(scene, kMostTokens).map([&](std::int64_t n) {
        const std::int64_t axes = Row::in(scene.view).axes();
        return std::vector<Shape>{{"place", {n}, "positions"},
                                  {"document", {n}},
                                  {"pad", {n}},
                                  {"should", {n, axes}, "positions"},
                                  {"used", {n, axes}, "positions"}};
    });
}

Result<void> fill_tokens(const Scene& scene, std::span<Array> arrays) {
    const Row row = Row::in(scene.view);
    const auto axes = static_cast<std::size_t>(row.axes());
    for (std::int64_t i = 0; i < scene.length; ++i) {
        spend(40.0);
        const RowToken token = row.token(i);
        const AxisIds should = row.query_should(i), used = row.query_used(i);
        const auto at = static_cast<std::size_t>(i);
        arrays[0].values[at] = static_cast<double>(token.place);
        arrays[1].values[at] = static_cast<double>(token.document);
        arrays[2].values[at] = token.kind == RowToken::Kind::pad ? 1.0 : 0.0;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            arrays[3].values[at * axes + axis] = static_cast<double>(should[axis]);
            arrays[4].values[at * axes + axis] = static_cast<double>(used[axis]);
        }
    }
    return {};
}

Result<std::vector<Shape>> pair_shapes(const Scene& scene) {
    return tokens_of(scene, kMostPairs).map([&](std::int64_t n) {
        const std::int64_t axes = Row::in(scene.view).axes();
        return std::vector<Shape>{{"error", {n, n}, "positions"},
                                  {"seen", {n, n}},
                                  {"meant_seen", {n, n}},
                                  {"should", {n, n, axes}, "positions"},
                                  {"used", {n, n, axes}, "positions"}};
    });
}

Result<void> fill_pairs(const Scene& scene, std::span<Array> arrays) {
    const Row row = Row::in_layer(scene.view, scene);
    const auto axes = static_cast<std::size_t>(row.axes());
    for (std::int64_t t = 0; t < scene.length; ++t) {
        spend(40.0 * static_cast<double>(t + 1));
        for (std::int64_t i = 0; i <= t; ++i) {
            const RowPair pair = row.pair(t, i);
            const auto at = static_cast<std::size_t>(t * scene.length + i);
            arrays[0].values[at] = pair.seen && pair.meant ? static_cast<double>(pair.error()) : 0.0;
            arrays[1].values[at] = pair.seen ? 1.0 : 0.0;
            arrays[2].values[at] = pair.meant ? 1.0 : 0.0;
            for (std::size_t axis = 0; axis < axes; ++axis) {
                arrays[3].values[at * axes + axis] = static_cast<double>(pair.should[axis]);
                arrays[4].values[at * axes + axis] = static_cast<double>(pair.used[axis]);
            }
        }
    }
    return {};
}

constexpr double kMostTurned = 5e6;  // pairs × shifts × formats

Result<std::vector<Shape>> key_shift_shapes(const Scene& scene) {
    const auto pairs = steady_pairs(scene, "key_shifts");
    if (!pairs) return tl::unexpected(pairs.error());
    const auto formats = static_cast<std::int64_t>(precisions().size());
    const double turned =
        static_cast<double>(*pairs) * static_cast<double>(scene.length) * static_cast<double>(formats);
    if (turned > kMostTurned) return tl::unexpected(*too_costly("key_shifts", turned, kMostTurned));
    return std::vector<Shape>{{"error", {formats, scene.length}}};
}

Result<void> fill_shifts(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    const auto count = static_cast<std::size_t>(scene.length);
    auto to = arrays[0].values.begin();
    for (const Precision precision : precisions()) {
        const auto errors = shifted_errors(*spectrum, precision, scene.offset, count);
        to = std::copy(errors.begin(), errors.end(), to);
    }
    return {};
}

constexpr double kMostSpectra = 2e6;  // pairs × positions

Result<std::vector<Shape>> stale_shapes(const Scene& scene) {
    const auto pairs = steady_pairs(scene, "stale_keys");
    if (!pairs) return tl::unexpected(pairs.error());
    const double made = static_cast<double>(*pairs) * static_cast<double>(scene.length);
    if (made > kMostSpectra) return tl::unexpected(*too_costly("stale_keys", made, kMostSpectra));
    return std::vector<Shape>{{"stale", {scene.length}}, {"anew", {scene.length}}};
}

Result<void> fill_stale(const Scene& scene, std::span<Array> arrays) {
    const std::int64_t key = std::min(scene.position, scene.position + scene.offset),
                       prompt = Row::in(scene.view).first_decoded();
    for (std::int64_t query = 0; query < scene.length; ++query) {
        const auto at = static_cast<std::size_t>(query);
        arrays[0].values[at] = arrays[1].values[at] = std::numeric_limits<double>::quiet_NaN();
        if (query < key) continue;
        auto scores = StaleScores::of(scene, query, prompt);
        if (!scores) return tl::unexpected(scores.error());
        const auto score = scores->at(key);
        if (!score) return tl::unexpected(score.error());
        arrays[0].values[at] = score->stale;
        arrays[1].values[at] = score->anew;
    }
    return {};
}

}  // namespace

extern const Quantity kTokenIds{"positions", token_shapes, fill_tokens};
extern const Quantity kUsedDistances{"used_distances", pair_shapes, fill_pairs};
extern const Quantity kKeyShifts{"key_shifts", key_shift_shapes, fill_shifts};
extern const Quantity kStaleKeys{"stale_keys", stale_shapes, fill_stale};

}  // namespace posiscope
