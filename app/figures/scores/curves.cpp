#include "app/figures/scores/making.hpp"

#include "app/figures/parts/sentence.hpp"
#include "core/attention/attention.hpp"
#include "core/cost.hpp"
#include "core/numeric/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::figures::scores {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"dot",    "norm",     "logit", "weight",
                                                    "shares", "envelope", "seeds", "all"};
constexpr std::int64_t kRoughSamples = 65;
constexpr std::int64_t kBounds = 800;                 // distances of an envelope
constexpr std::size_t kRuns = 8;                      // of pairs
constexpr std::size_t kSeeds = 64, kFewestSeeds = 8;  // as many as kExactWork is enough for

struct DifferenceKey {
    Kept<Curves> a, b;
    bool operator==(const DifferenceKey&) const = default;
};
struct ScoreAt {
    Kept<Scoring> scoring;
    std::int64_t distance;
    bool operator==(const ScoreAt&) const = default;
};
struct EnvelopeAt {
    Kept<Turning> turning;
    std::int64_t distance;
    bool operator==(const EnvelopeAt&) const = default;
};

// What the figure keeps in Derived. Single values are those of an offset, of one that is dragged away from, of the mouse.
struct Scores {
    Slow<CurvesKey, Curves> curves;
    Kept<Curves> shown;  // those, or that they are being made
    Memo<DifferenceKey, Curves> less;
    Few<ScoreAt, double> score;
    Few<EnvelopeAt, double> envelope;
};

void make_logits(Curves& curves, const CurvesKey& key) {
    const Samples s = samples(key.from, key.to, key.most);
    place(curves, s);
    auto values = logits(*key.input, key.head, s, curves.query);
    if (values) curves.curves.push_back({.values = std::move(*values)});
    else curves.problem = values.error();
}

void make_scores(Curves& curves, const CurvesKey& key) {
    const Samples s = samples(key.from, key.to, key.most);
    place(curves, s);
    Curve& curve = curves.curves.emplace_back();
    curve.values.resize(static_cast<std::size_t>(s.count));
    score_curve(key.scoring->form, key.scoring->spectrum(), s.first, s.stride, curve.values);
}

// Of sampled distances each stands for its neighbours, so that the shares still sum to one.
void make_weight(Curves& curves, const CurvesKey& key) {
    const ScoreInput& scene = *key.input;
    const Samples s = samples(0.0, static_cast<double>(scene.length - 1), key.most);
    place(curves, s);
    auto values = logits(scene, key.head, s, curves.query);
    if (!values) {
        curves.problem = values.error();
        return;
    }
    curves.query = scene.length - 1;
    curves.log_sum = log_sum(*values) + std::log(static_cast<double>(s.stride));
    for (double& value : *values)
        value = std::isfinite(value) ? std::exp(value - curves.log_sum) : std::nan("");
    curves.curves.push_back({.values = std::move(*values)});
}

void make_shares(Curves& curves, const CurvesKey& key) {
    const Spectrum& spectrum = key.scoring->spectrum();
    const ScoreForm& form = key.scoring->form;
    const Samples s = samples(key.from, key.to, key.most);
    place(curves, s);
    const std::size_t runs = std::min(kRuns, spectrum.pairs());
    for (std::size_t run = 0; run < runs; ++run) {
        const std::size_t begin = run * spectrum.pairs() / runs, end = (run + 1) * spectrum.pairs() / runs;
        ScoreForm part;
        Spectrum some;
        part.kind = ScoreKind::dot;
        part.scale = form.scale;
        for (std::size_t i = begin; i < end; ++i) {
            part.even.push_back(form.even[i]);
            part.odd.push_back(form.odd[i]);
            some.frequency.push_back(spectrum.frequency[i]);
            some.step.push_back(spectrum.step[i]);
        }
        Curve curve{.first_pair = begin, .last_pair = end - 1};
        curve.values.resize(static_cast<std::size_t>(s.count));
        score_curve(part, some, s.first, s.stride, curve.values);
        curves.curves.push_back(std::move(curve));
    }
}

void make_envelope(Curves& curves, const CurvesKey& key) {
    const Spectrum& spectrum = key.scoring->spectrum();
    const std::int64_t most = std::min(kBounds, key.most);
    Curve curve;
    std::int64_t before = -1;
    for (std::int64_t i = 0; i <= most; ++i) {
        const double power =
            key.from + (key.to - key.from) * static_cast<double>(i) / static_cast<double>(most);
        const auto distance = std::clamp<std::int64_t>(std::llround(std::pow(10.0, power)), 1, kLastPosition);
        if (distance == before) continue;
        before = distance;
        curves.at.push_back(static_cast<double>(distance));
        curve.values.push_back(envelope(spectrum, distance));
    }
    curves.curves.push_back(std::move(curve));
}

void make_seeds(Curves& curves, const CurvesKey& key) {
    const Samples s = samples(key.from, key.to, key.most);
    curves.seeds = kSeeds;
    place(curves, s);
    const auto count = static_cast<std::size_t>(s.count);
    std::vector<double> sum(count), squares(count);
    ScoreInput one = *key.input;
    one.content = {"seeded", {{"seed", 0}, {"weights", "seeded"}}};
    for (std::size_t seed = 0; seed < curves.seeds; ++seed) {
        one.content.parameters["seed"] = seed;
        const double before = work_done();
        const auto values = logits(one, key.head, s, curves.query);
        if (seed == 0)
            curves.seeds = static_cast<std::size_t>(std::clamp(key.exact_work / (work_done() - before + 1.0),
                                                               static_cast<double>(kFewestSeeds),
                                                               static_cast<double>(kSeeds)));
        if (!values) {
            curves.problem = values.error();
            return;
        }
        for (std::size_t i = 0; i < count; ++i) {
            sum[i] += (*values)[i];
            squares[i] += (*values)[i] * (*values)[i];
        }
    }
    const auto n = static_cast<double>(curves.seeds);
    for (std::size_t i = 0; i < count; ++i) {
        sum[i] /= n;
        curves.deviation.push_back(
            std::sqrt(std::max(0.0, squares[i] / n - sum[i] * sum[i]) * n / (n - 1.0)));
    }
    curves.curves.push_back({.values = std::move(sum)});
}

// The value at the nearest distance that was taken.
double nearest(const Curves& curves, const Curve& curve, std::int64_t distance) {
    const auto place = std::lower_bound(curves.at.begin(), curves.at.end(), static_cast<double>(distance));
    if (place == curves.at.end() || static_cast<double>(distance) < curves.at.front()) return std::nan("");
    return curve.values[static_cast<std::size_t>(place - curves.at.begin())];
}

bool rotary(const Scene& scene) { return encoding_of(scene).acts == Acts::query_key; }

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
    return make_curves(few);
}

Curves less(const Curves& a, const Curves& b) {
    Curves made = a;
    made.deviation.clear();
    made.curves.resize(1);
    std::vector<double>& values = made.curves.front().values;
    const std::vector<double>& of_b = b.curves.front().values;
    // Both may have taken other distances: B's value is that at the same one, or none.
    std::size_t j = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        while (j < b.at.size() && b.at[j] < a.at[i]) ++j;
        values[i] = j < b.at.size() && b.at[j] == a.at[i] ? of_b[j] - values[i] : std::nan("");
    }
    measure(made);
    return made;
}

}  // namespace

Samples samples(double from, double to, std::int64_t most) {
    const auto first = static_cast<std::int64_t>(std::ceil(from)),
               last = static_cast<std::int64_t>(std::floor(to));
    Samples s;
    s.stride = std::max<std::int64_t>(1, (last - first + most) / most);
    s.first = first >= 0 ? (first + s.stride - 1) / s.stride * s.stride : -(-first / s.stride) * s.stride;
    s.count = std::max<std::int64_t>(1, (last - s.first) / s.stride + 1);
    return s;
}

void place(Curves& curves, const Samples& s) {
    curves.stride = s.stride;
    curves.at.clear();
    for (std::int64_t i = 0; i < s.count; ++i)
        curves.at.push_back(static_cast<double>(s.first + i * s.stride));
}

Result<std::vector<double>> logits(const ScoreInput& scene, std::int64_t head, const Samples& s,
                                   std::optional<std::int64_t>& query) {
    auto values = logits_by_distance(scene, head, s.first, s.stride, s.count);
    if (values || values.error().key != "encoding.not_by_distance") return values;
    query = scene.length - 1;
    return logits_of_query(scene, head, *query, s.first, s.stride, s.count);
}

void measure(Curves& curves) {
    curves.least = std::numeric_limits<double>::infinity();
    curves.most = -curves.least;
    for (Curve& curve : curves.curves)
        for (std::size_t i = 0; i < curve.values.size(); ++i) {
            double& value = curve.values[i];
            if (!(std::abs(value) < kLargest)) {
                value = std::nan("");
                continue;
            }
            const double around = curves.deviation.empty() ? 0.0 : curves.deviation[i];
            curves.least = std::min(curves.least, value - around);
            curves.most = std::max(curves.most, value + around);
        }
    if (!(curves.least <= curves.most)) curves.least = curves.most = 0.0;
}

Mode mode_named(std::string_view name) {
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    return found == kNames.end() ? Mode::dot : static_cast<Mode>(found - kNames.begin());
}

std::span<const std::string_view> modes_of(const Scene& scene) {
    static constexpr std::array<std::string_view, 8> rotary = {"logit",  "dot",      "norm",  "weight",
                                                               "shares", "envelope", "seeds", "all"};
    static constexpr std::array<std::string_view, 8> absolute = {"dot",    "norm",     "logit", "weight",
                                                                 "shares", "envelope", "seeds", "all"};
    static constexpr std::array<std::string_view, 4> logits_alone = {"logit", "weight", "seeds", "all"};
    if (!on_unit_circles(scene)) return logits_alone;
    return encoding_of(scene).acts == Acts::query_key ? rotary : absolute;
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
    return *keeper.part<Scores>().less.get({a, b},
                                           [](const DifferenceKey& of) { return less(*of.a, *of.b); });
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
        const bool formed =
            on_unit_circles(scene) && rotary(scene) && derived.logits_problem(scene) == nullptr;
        const double value = formed ? score(ScoreKind::logit) : derived.logit(scene, distance);
        return std::abs(value) < kLargest ? value : std::nan("");
    };
    switch (mode) {
        case Mode::weight: return std::exp(logit() - curves.log_sum);
        case Mode::logit: return logit();
        case Mode::seeds:
            return curves.curves.empty() ? std::nan("") : nearest(curves, curves.curves.front(), distance);
        case Mode::all:
            for (const Curve& curve : curves.curves)
                if (curve.name == scene.encoding.kind) return nearest(curves, curve, distance);
            return std::nan("");
        default: break;
    }
    const auto kind = closed_form(scene, mode);
    if (!kind) return std::nan("");
    if (mode == Mode::envelope)
        return kept.envelope.get({derived.turning(scene), distance},
                                 [](const EnvelopeAt& at) { return envelope(**at.turning, at.distance); });
    return score(*kind);
}

bool stepped(std::string_view encoding) { return encoding == "t5" || encoding == "shaw"; }

}  // namespace posiscope::figures::scores
