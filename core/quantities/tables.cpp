// tables.cpp — the matrix of an encoding that is added to the input.
// table  table[length, d_model], PE(p, column) in the encoding's own order of columns.  Error ≤ 2e-16
// gram   gram[length, length], PE(m) · PE(n). It depends only on m − n (a sum of cosines) and is computed from
//        m − n, which is more exact than adding products. Of RoPE: the score of the query at m and the key at n, from
//        the Scene's q and k.  Error ≤ 1e-13 · d_model/2
// rank   rank, singular_values[min(length, r)] largest first, least_gap: of the vectors (sin, cos) of every pair, one
//        per position. rank counts singular values above max(length, r) · 2^-52 · the largest; least_gap is the least
//        ‖p_i − p_j‖, null for a single position.  Without the attention factor; not for learned tables.
// fairseq's padding row is zeros in table and gram, and in rank and the curves by distance a row like all others.
#include "core/attention/identities.hpp"
#include "core/encodings/sinusoidal.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scores/score.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

Result<std::int64_t> pairs_of_table(const Scene& scene, std::string_view quantity) {
    if (encoding_of(scene).acts != Acts::input) return tl::unexpected(absent(scene, quantity));
    return turning_pairs(scene, quantity);
}

Result<std::vector<Shape>> table_shapes(const Scene& scene) {
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    if (!action->add) return tl::unexpected(absent(scene, "table"));
    return std::vector<Shape>{{"table", {scene.length, scene.d_model}, "", {{"position"}, {"column"}}}};
}

Result<void> fill_table(const Scene& scene, std::span<Array> arrays) {
    return input_table(scene, 0, scene.length).map([&](std::vector<double> made) {
        arrays[0].values = std::move(made);
    });
}

Result<std::vector<Shape>> gram_shapes(const Scene& scene) {
    const bool rotates = on_unit_circles(scene) && encoding_of(scene).acts == Acts::query_key;
    const auto pairs = rotates ? turning_pairs(scene, "gram") : pairs_of_table(scene, "gram");
    return pairs.map([&](std::int64_t) {
        return std::vector<Shape>{{"gram", {scene.length, scene.length}, "", {{"query"}, {"key"}}}};
    });
}

Result<void> fill_gram(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    // The score of two different vectors is not the same at −D as at D.
    std::vector<double> by_distance(static_cast<std::size_t>(2 * scene.length - 1));
    score_curve(score_form(scene, *spectrum, ScoreKind::dot), *spectrum, 1 - scene.length, 1, by_distance);
    auto value = arrays[0].values.begin();
    const auto padding = padding_row(scene);
    for (std::int64_t m = 0; m < scene.length; ++m)
        for (std::int64_t n = 0; n < scene.length; ++n)
            *value++ = m == padding || n == padding
                           ? 0.0
                           : by_distance[static_cast<std::size_t>(m - n + scene.length - 1)];
    return {};
}

Result<std::vector<Shape>> rank_shapes(const Scene& scene) {
    return steady_pairs(scene, "rank").map([&](std::int64_t pairs) {
        return std::vector<Shape>{
            {"rank", {}}, {"singular_values", {std::min(scene.length, 2 * pairs)}}, {"least_gap", {}}};
    });
}

// The decomposition keeps some copies of the table.
double rank_workspace(const Scene& scene) {
    return 8.0 * static_cast<double>(scene.length) * 2.0 *
           static_cast<double>(encoding_of(scene).pairs(scene));
}

Result<void> fill_rank(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    auto made = table_rank(*spectrum, scene.length);
    if (!made) return tl::unexpected(made.error());
    arrays[0].values[0] = static_cast<double>(made->rank);
    arrays[1].values = std::move(made->singular_values);
    arrays[2].values[0] = least_gap(*spectrum, scene.length).length;
    return {};
}

}  // namespace

extern const Quantity kTable{"table", table_shapes, fill_table};
extern const Quantity kRank{"rank", rank_shapes, fill_rank, rank_workspace};
extern const Quantity kGram{"gram", gram_shapes, fill_gram};

}  // namespace posiscope
