// scores.cpp — scores against the distance Δ = query − key, from −(length − 1) to length − 1, content held fixed.
// distance  delta; dot, the inner product; norm, ‖a − b‖: of PE(m) and PE(n), or of the rotated q and k
// scores    distance = Δ; logit, with the encoding's own scale, bias and factor; share[r/2], the contribution of each pair to
//           q·k/√head_dim at the Scene's offset (with unrotated features, they sum to it); envelope, RoFormer's
//           bound  mean over j = 1 … r/2 of |Σ_{i<j} e^{iΔω_i}|: it trends down but comes back, so it proves no decay
//           cosine_part, sine_part[r/2]: of a pair's contribution (q₁k₁ + q₂k₂) cos Δω and (q₁k₂ − q₂k₁) sin Δω
// Error     dot, logit ≤ 1e-13 of the sum of the magnitudes; norm ≤ 1e-7 of itself.
#include "core/attention/attention.hpp"
#include "core/encodings/turning.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scores/score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

std::int64_t distances(const Scene& scene) { return 2 * scene.length - 1; }

void fill_distances(const Scene& scene, std::vector<double>& values) {
    double delta = -static_cast<double>(scene.length - 1);
    for (double& value : values) value = delta++;
}

void fill_curve(const Scene& scene, const Spectrum& spectrum, ScoreKind kind, std::vector<double>& values) {
    score_curve(score_form(scene, spectrum, kind), spectrum, -(scene.length - 1), 1, values);
}

bool has(const Scene& scene, ScoreKind kind) {
    const auto kinds = score_kinds(scene);
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

Result<std::vector<Shape>> distance_shapes(const Scene& scene) {
    return steady_pairs(scene, "distance").map([&](std::int64_t) {
        const std::int64_t n = distances(scene);
        std::vector<Shape> shapes{{"delta", {n}, "positions"}, {"dot", {n}}};
        if (has(scene, ScoreKind::norm))
            shapes.push_back({"norm", {n}});  // xPos has none: its lengths change
        return shapes;
    });
}

Result<void> fill_distance(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    fill_distances(scene, arrays[0].values);
    fill_curve(scene, *spectrum, ScoreKind::dot, arrays[1].values);
    if (arrays.size() > 2) fill_curve(scene, *spectrum, ScoreKind::norm, arrays[2].values);
    return {};
}

Result<std::vector<Shape>> score_shapes(const Scene& scene) {
    if (encoding_of(scene).acts != Acts::query_key) return tl::unexpected(absent(scene, "scores"));
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    if (!action->by_distance || action->add)
        return tl::unexpected(unsteady(scene).value_or(Problem{"scores.by_query", {}, Cause::failure}));
    return turning_pairs(scene, "scores").map([&](std::int64_t pairs) {
        const std::int64_t n = distances(scene);
        return std::vector<Shape>{
            {"distance", {n}, "positions"}, {"logit", {n}},        {"share", {pairs}}, {"envelope", {n}},
            {"cosine_part", {pairs}},       {"sine_part", {pairs}}};
    });
}

Result<void> fill_scores(const Scene& scene, std::span<Array> arrays) {
    const auto turning = turning_of(scene);
    if (!turning) return tl::unexpected(turning.error());
    fill_distances(scene, arrays[0].values);
    // Closed forms where they are the whole logit.
    if (turning->steady() && !encoding_of(scene).logits.has_bias_or_scale) {
        fill_curve(scene, turning->spectrum, ScoreKind::logit, arrays[1].values);
    } else {
        auto logits = logits_by_distance(scene, 0, 1 - scene.length, 1, distances(scene));
        if (!logits) return tl::unexpected(logits.error());
        arrays[1].values = std::move(*logits);
    }

    const ScoreForm form = score_form(scene, turning->spectrum, ScoreKind::logit);
    for (std::size_t i = 0; i < turning->pairs(); ++i) {
        const auto [cosine, sine] = score_parts(form, *turning, i, scene.offset);
        arrays[2].values[i] = cosine + sine;
        arrays[4].values[i] = cosine;
        arrays[5].values[i] = sine;
    }
    std::vector<double>& bound = arrays[3].values;  // even in Δ
    if (!turning->steady()) {
        std::fill(bound.begin(), bound.end(), std::numeric_limits<double>::quiet_NaN());
        return {};
    }
    const auto middle = static_cast<std::size_t>(scene.length - 1);
    for (std::size_t delta = 0; delta <= middle; ++delta)
        bound[middle - delta] = bound[middle + delta] =
            envelope(turning->spectrum, static_cast<std::int64_t>(delta));
    return {};
}

}  // namespace

extern const Quantity kDistance{"distance", distance_shapes, fill_distance};
extern const Quantity kScores{"scores", score_shapes, fill_scores};

}  // namespace posiscope
