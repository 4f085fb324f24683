// score.cpp — scores by distance, the vectors that they are of, and biases.
#include "core/scores/score.hpp"
#include "core/attention/attention.hpp"
#include "core/attention/identities.hpp"
#include "core/json_members.hpp"
#include "core/lessons/values/value_tables.hpp"
#include "core/phase/shift.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope::lessons {
namespace {

template <ScoreKind Kind>
Result<double> score(const Scene& scene) {
    // A bias or a factor beside the pairs is part of the logit.
    if (Kind == ScoreKind::logit && encoding_of(scene).logits.has_bias_or_scale)
        return logits_of_query(scene, 0, std::max<std::int64_t>(scene.offset, 0), scene.offset, 1, 1)
            .map([](const std::vector<double>& row) { return row.front(); });
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const auto kinds = score_kinds(scene);
        if (std::ranges::find(kinds, Kind) == kinds.end()) return no_value("score");
        return score_at(score_form(scene, s, Kind), s, scene.offset);
    });
}

// The least distance from which one more step raises the score by position: it is even, so both directions are meant.
Result<double> first_rise(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const ScoreForm form = score_form(scene, s, ScoreKind::dot);
        double before = score_at(form, s, 0);
        for (std::int64_t distance = 1; distance <= kFarthest; ++distance) {
            const double now = score_at(form, s, distance);
            if (now > before) return static_cast<double>(distance - 1);
            before = now;
        }
        return no_value("score.first_rise");
    });
}
Result<double> next_dot(const Scene& scene) {
    Scene next = scene;
    next.offset += next.offset < 0 ? -1 : 1;
    return score<ScoreKind::dot>(next);
}
// The largest |score| at a distance from the trained length up to the Scene's.
Result<double> beyond(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const std::int64_t first = scene.trained.length.value_or(scene.length);
        const std::int64_t count = scene.length - first;
        if (count <= 0 || count > kLargestTable) return no_value("score.beyond");
        std::vector<double> scores(static_cast<std::size_t>(count));
        score_curve(score_form(scene, s, ScoreKind::dot), s, first, 1, scores);
        double most = 0.0;
        for (const double value : scores) most = std::max(most, std::abs(value));
        return most;
    });
}
Result<double> score_bound(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) { return envelope(s, scene.offset); });
}

// Norm of the content's query, and of the same after the encoding rotated it to position p.
template <bool Rotated>
Result<double> query_norm(const Scene& scene) {
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    if (!action->turn) return no_value("query.norm");
    std::vector<double> query(static_cast<std::size_t>(head_dim(scene)));
    content_values(scene.content, Tensor::query, 0, query);
    if (Rotated) action->turn(Side::query, scene.position, query);
    double sum = 0.0;
    for (const double value : query) sum += value * value;
    return std::sqrt(sum);
}

// The drop of a head's logit from distance 0 to |k|, for the same q·k.
template <std::int64_t Head>
Result<double> lost(const Scene& scene) {
    if (Head >= scene.num_heads) return no_value("bias.lost");
    Scene equal = scene;
    equal.content = Scene().content;
    auto logit = DistanceLogit::of(equal, Head);
    if (!logit) return tl::unexpected(logit.error());
    return logit->at(0) - logit->at(std::abs(scene.offset));
}

constexpr std::array kScoreValues = {
    Value{"score.dot", false, score<ScoreKind::dot>},
    Value{"score.next", false, next_dot},
    Value{"score.norm", false, score<ScoreKind::norm>},
    Value{"score.logit", false, score<ScoreKind::logit>},
    Value{"score.first_rise", false, first_rise},
    Value{"score.beyond", true, beyond},
    Value{"score.bound", false, score_bound},
    Value{"query.norm", false, query_norm<false>},
    Value{"query.rotated_norm", false, query_norm<true>},
    Value{"bias.first_head", false, lost<0>},
    Value{"bias.second_head", false, lost<1>},
    Value{"bias.third_head", false, lost<2>},
};

}  // namespace

std::span<const Value> score_values() { return kScoreValues; }

// M_k, which carries p to p + k.

namespace {

Result<double> shift_error(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        if (!on_unit_circles(scene)) return no_value("shift.error");
        return shift_residual(encoding_of(scene), s, scene.position, scene.offset);
    });
}
// The offset of M_b M_a: the second one is the shift figure's, 5 until it is moved.
Result<double> composed(const Scene& scene) {
    constexpr std::int64_t second_at_first = 5;
    const Json* shift = object_at(scene.view, "shift");
    const auto second = shift != nullptr ? integer_at(*shift, "second") : std::nullopt;
    return static_cast<double>(scene.offset) + static_cast<double>(second.value_or(second_at_first));
}

constexpr std::array kShiftValues = {
    Value{"shift.error", false, shift_error},
    Value{"shift.composed", false, composed},
};

}  // namespace

std::span<const Value> shift_values() { return kShiftValues; }

}  // namespace posiscope::lessons
