#include "app/figures/scores/making.hpp"

#include "app/figures/parts/sentence.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::figures::scores {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"dot",    "norm",     "logit", "weight",
                                                    "shares", "envelope", "seeds", "all"};
constexpr std::int64_t kRoughSamples = 65;

struct ScoreAt {
    Kept<Scoring> scoring;
    std::int64_t distance;
    bool operator==(const ScoreAt&) const = default;
};
struct EnvelopeAt {
    Kept<Rates> rates;
    std::int64_t distance;
    bool operator==(const EnvelopeAt&) const = default;
};

// Values that the figure keeps in Derived. Single values are those of an offset, of one that is dragged away from, of the mouse.
struct Scores {
    Slow<CurvesKey, Curves> curves;
    Kept<Curves> shown;  // those, or that they are being made
    Slow<DifferenceKey, Curves> less;
    Kept<Curves> shown_less;
    Few<ScoreAt, double> score;
    Few<EnvelopeAt, double> envelope;
};

// The value at a distance that was taken, or in whose column it lies.
double at_same(const Curves& curves, const Curve& curve, std::int64_t distance) {
    const auto i = curves.column_of(distance);
    return i ? curve.values[*i] : std::nan("");
}

bool rotary(const Scene& scene) { return encoding_of(scene).acts == Acts::query_key; }
// True if the logit is the pairs' sum.
bool of_pairs(const Scene& scene) {
    return on_unit_circles(scene) && rotary(scene) && !encoding_of(scene).logits.has_bias_or_scale;
}

// The score that a mode is about where core has it in closed form, pair by pair; else none.
std::optional<ScoreKind> closed_form(const Scene& scene, Mode mode) {
    if (!on_unit_circles(scene)) return std::nullopt;
    switch (mode) {
        case Mode::norm: return ScoreKind::norm;
        case Mode::dot:
        case Mode::envelope: return ScoreKind::dot;
        case Mode::shares: return rotary(scene) ? ScoreKind::logit : ScoreKind::dot;
        default: return std::nullopt;
    }
}

Curves make_curves(const CurvesKey& key) {
    Curves curves;
    switch (key.mode) {
        case Mode::dot:
        case Mode::norm: make_scores(curves, key); break;
        case Mode::logit: make_logits(curves, key); break;
        case Mode::weight: make_weight(curves, key); break;
        case Mode::shares: make_shares(curves, key); break;
        case Mode::envelope: make_envelope(curves, key); break;
        case Mode::seeds: make_seeds(curves, key); break;
        case Mode::all: break;  // together()
    }
    measure(curves);
    return curves;
}

Curves rough_curves(const CurvesKey& key) {
    CurvesKey few = key;
    few.most = kRoughSamples;
    few.bands = false;
    Curves made = make_curves(few);
    made.rough = true;
    return made;
}

}  // namespace

void measure(Curves& curves) {
    curves.least = std::numeric_limits<double>::infinity();
    curves.most = -curves.least;
    const auto reach = [&](double low, double high) {
        curves.least = std::min(curves.least, low);
        curves.most = std::max(curves.most, high);
    };
    for (Curve& curve : curves.curves) {
        for (std::vector<double>* values : {&curve.values, &curve.band})
            for (double& value : *values) {
                if (can_be_drawn(value)) {
                    curve.least = std::min(curve.least, value);
                    curve.most = std::max(curve.most, value);
                } else {
                    value = std::nan("");
                }
            }
        if (curve.least <= curve.most) reach(curve.least, curve.most);
    }
    for (std::size_t i = 0; i < curves.deviation.size(); ++i)
        if (const double mean = curves.curves.front().values[i]; std::isfinite(mean))
            reach(mean - curves.deviation[i], mean + curves.deviation[i]);
    for (const double value : curves.around)
        if (std::isfinite(value)) reach(value, value);
    if (!(curves.least <= curves.most)) curves.least = curves.most = 0.0;
}

Mode mode_named(std::string_view name) {
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    return found == kNames.end() ? Mode::dot : static_cast<Mode>(found - kNames.begin());
}

std::span<const std::string_view> modes_of(const Scene& scene) {
    static constexpr std::array<std::string_view, 9> rotary = {
        "logit", "dot", "norm", "weight", "shares", "envelope", "seeds", "all", "kinds"};
    // Their logit is no sum of pairs.
    static constexpr std::array<std::string_view, 8> beside = {"logit",    "dot",   "norm", "weight",
                                                               "envelope", "seeds", "all",  "kinds"};
    static constexpr std::array<std::string_view, 9> absolute = {
        "dot", "norm", "logit", "weight", "shares", "envelope", "seeds", "all", "kinds"};
    static constexpr std::array<std::string_view, 5> logits_alone = {"logit", "weight", "seeds", "all",
                                                                     "kinds"};
    if (!on_unit_circles(scene)) return logits_alone;
    if (encoding_of(scene).acts != Acts::query_key) return absolute;
    return encoding_of(scene).logits.has_bias_or_scale ? std::span<const std::string_view>(beside) : rotary;
}

const Kept<Curves>& curves_of(const Scene& scene, Derived& derived, Mode mode, double from, double to) {
    if (mode == Mode::weight || mode == Mode::all) from = to = 0.0;  // they do not follow the view
    const auto kind = closed_form(scene, mode);
    const CurvesKey key{derived.input<ScoreInput>(scene),
                        kind ? derived.scoring(scene, *kind) : nullptr,
                        mode,
                        shown_head(scene),
                        from,
                        to,
                        derived.exact_work()};
    Scores& kept = derived.part<Scores>();
    kept.shown = mode == Mode::all
                     ? together(scene, derived)
                     : kept.curves.get(
                           derived.background(), key, [](const CurvesKey& of) { return make_curves(of); },
                           [](const CurvesKey& of) { return rough_curves(of); });
    if (kept.shown == nullptr) {
        Curves waiting;
        waiting.problem = being_made();
        kept.shown = std::make_shared<const Curves>(std::move(waiting));
    }
    return kept.shown;
}

const Curves& difference(Derived& keeper, const Kept<Curves>& a, const Kept<Curves>& b) {
    Scores& kept = keeper.part<Scores>();
    kept.shown_less = kept.less.get(
        keeper.background(), {a, b, keeper.exact_work()}, [](const DifferenceKey& of) { return less(of); },
        [](const DifferenceKey& of) { return rough_less(of); });
    return *kept.shown_less;
}

double value_at(const Scene& scene, Derived& derived, Mode mode, const Curves& curves,
                std::int64_t distance) {
    Scores& kept = derived.part<Scores>();
    const auto score = [&](ScoreKind kind) {
        return kept.score.get({derived.scoring(scene, kind), distance},
                              [](const ScoreAt& at) { return at.scoring->at(at.distance); });
    };
    const auto logit = [&]() -> double {
        if (mode == Mode::weight && (distance < 0 || distance >= scene.length)) return std::nan("");
        const bool formed = of_pairs(scene) && derived.logits_problem(scene) == nullptr;
        const double value = formed ? score(ScoreKind::logit) : derived.logit(scene, distance);
        return can_be_drawn(value) ? value : std::nan("");
    };
    switch (mode) {
        case Mode::weight: {
            // Behind a window, or before a chunk, a key has none.
            if (distance >= keys_of_last(*derived.input<ScoreInput>(scene)) && distance < scene.length)
                return 0.0;
            // The sum may have missed this distance if not every one was taken: then its weight is not known.
            const double weight = std::exp(logit() - curves.log_sum);
            return weight <= 1.0 + 1e-9 ? weight : std::nan("");
        }
        case Mode::logit: return logit();
        case Mode::seeds:
            return curves.curves.empty() ? std::nan("") : at_same(curves, curves.curves.front(), distance);
        case Mode::all: return logit() - derived.logit(scene, 0);
        default: break;
    }
    const auto kind = closed_form(scene, mode);
    if (!kind) return std::nan("");
    if (mode == Mode::envelope)
        return kept.envelope.get({derived.rates(scene), distance},
                                 [](const EnvelopeAt& at) { return envelope(**at.rates, at.distance); });
    return score(*kind);
}

bool stepped(std::string_view encoding) {
    const Encoding* found = find_encoding(encoding);
    return found != nullptr && found->logits.stepped;
}

}  // namespace posiscope::figures::scores
