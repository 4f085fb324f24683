#include "app/figures/scores/curves.hpp"

#include "core/attention/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::figures::scores {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"dot",    "norm",     "logit", "weight",
                                                    "shares", "envelope", "seeds", "all"};
constexpr double kBudget = 4e7;  // what a set of curves may cost when it is made anew, about nanoseconds
constexpr std::int64_t kMostSamples = 4097, kFewest = 33;
constexpr std::size_t kRuns = 8;    // of pairs
constexpr std::size_t kSeeds = 64;  // fewer where one costs much
constexpr double kLargest = 1e30;   // xPos grows without bound: what no picture holds is left out

// What one set of curves was made for.
struct Made {
    bool done = false;
    Scene scene;
    Mode mode = Mode::dot;
    double from = 0.0, to = 0.0;
    Curves curves;

    bool fits(const Scene& s, Mode m, double a, double b) const {
        return done && mode == m && from == a && to == b && s.encoding == scene.encoding &&
               s.content == scene.content && s.base == scene.base && s.layout == scene.layout &&
               s.d_model == scene.d_model && s.num_heads == scene.num_heads && s.head_dim == scene.head_dim &&
               s.length == scene.length && s.causal == scene.causal;
    }
};

struct Kept {
    Made made;
    std::uint64_t next_version = 0;
    std::uint64_t of_a = 0, of_b = 0;
    Curves less;
    struct OneKey {
        std::uint64_t curves;
        std::int64_t distance;
        bool operator==(const OneKey&) const = default;
    };
    // Values at single distances: those of an offset, of one that is being dragged away from, of the mouse.
    std::array<std::pair<OneKey, double>, 4> ones{};
    std::size_t next_one = 0;
};

// About nanoseconds for one score of a Scene.
double cost(const Scene& scene) {
    const Encoding& encoding = encoding_of(scene);
    if (encoding.acts == Acts::query_key && on_unit_circles(scene))
        return static_cast<double>(encoding.pairs(scene));
    const auto width = static_cast<double>(encoding.acts == Acts::input ? scene.d_model : head_dim(scene));
    return encoding.acts == Acts::logits ? 20.0 * width : 60.0 * width;
}

struct Samples {
    std::int64_t first = 0, stride = 1, count = 1;
};

// From `from` to `to`, at multiples of the stride, so that panning does not make them flicker.
Samples samples(double from, double to, double nanoseconds) {
    const auto first = static_cast<std::int64_t>(std::ceil(from)),
               last = static_cast<std::int64_t>(std::floor(to));
    const auto most =
        std::clamp(static_cast<std::int64_t>(kBudget / std::max(1.0, nanoseconds)), kFewest, kMostSamples);
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

// Head 0's logits: by distance where they are a function of it, else of the query at n − 1.
Result<std::vector<double>> logits(const Scene& scene, const Samples& s, std::optional<std::int64_t>& query) {
    if (encoding_of(scene).acts == Acts::query_key && on_unit_circles(scene)) {
        const auto spectrum = spectrum_of(scene);
        if (!spectrum) return tl::unexpected(spectrum.error());
        if (const auto action = action_of(scene); action && action->by_distance) {
            std::vector<double> values(static_cast<std::size_t>(s.count));
            score_curve(score_form(scene, *spectrum, ScoreKind::logit), *spectrum, s.first, s.stride, values);
            return values;
        }
    }
    auto values = logits_by_distance(scene, 0, s.first, s.stride, s.count);
    if (values || values.error().key != "encoding.not_by_distance") return values;
    query = scene.length - 1;
    return logits_of_query(scene, 0, *query, s.first, s.stride, s.count);
}

void make_plain(Curves& curves, const Scene& scene, Derived& derived, ScoreKind kind, double from,
                double to) {
    const Samples s = samples(from, to, cost(scene));
    place(curves, s);
    Curve curve;
    if (kind == ScoreKind::logit) {
        auto values = logits(scene, s, curves.query);
        if (!values) {
            curves.problem = values.error();
            return;
        }
        curve.values = std::move(*values);
    } else {
        curve.values.resize(static_cast<std::size_t>(s.count));
        score_curve(derived.score_form(scene, kind), *derived.spectrum(scene), s.first, s.stride,
                    curve.values);
    }
    curves.curves.push_back(std::move(curve));
}

// Of sampled distances each stands for its neighbours, so that the shares still sum to one.
void make_weight(Curves& curves, const Scene& scene) {
    const Samples s = samples(0.0, static_cast<double>(scene.length - 1), cost(scene));
    place(curves, s);
    auto values = logits(scene, s, curves.query);
    if (!values) {
        curves.problem = values.error();
        return;
    }
    curves.query = scene.length - 1;
    double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
    for (const double logit : *values)
        if (std::isfinite(logit)) largest = std::max(largest, logit);
    for (const double logit : *values)
        if (std::isfinite(logit)) sum += std::exp(logit - largest);
    curves.log_sum = largest + std::log(sum * static_cast<double>(s.stride));
    for (double& value : *values)
        value = std::isfinite(value) ? std::exp(value - curves.log_sum) : std::nan("");
    curves.curves.push_back({.values = std::move(*values)});
}

void make_shares(Curves& curves, const Scene& scene, Derived& derived, double from, double to) {
    const Spectrum& spectrum = *derived.spectrum(scene);
    const bool rotary = encoding_of(scene).acts == Acts::query_key;
    const ScoreForm& form = derived.score_form(scene, rotary ? ScoreKind::logit : ScoreKind::dot);
    const Samples s = samples(from, to, static_cast<double>(spectrum.pairs()));
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

void make_envelope(Curves& curves, const Scene& scene, Derived& derived, double from, double to) {
    const Spectrum& spectrum = *derived.spectrum(scene);
    const auto most =
        std::clamp(static_cast<std::int64_t>(kBudget / (50.0 * static_cast<double>(spectrum.pairs()))),
                   std::int64_t{49}, std::int64_t{800});
    Curve curve;
    std::int64_t before = -1;
    for (std::int64_t i = 0; i <= most; ++i) {
        const double power = from + (to - from) * static_cast<double>(i) / static_cast<double>(most);
        const auto distance = std::clamp<std::int64_t>(std::llround(std::pow(10.0, power)), 1, kLastPosition);
        if (distance == before) continue;
        before = distance;
        curves.at.push_back(static_cast<double>(distance));
        curve.values.push_back(envelope(spectrum, distance));
    }
    curves.curves.push_back(std::move(curve));
}

void make_seeds(Curves& curves, const Scene& scene, double from, double to) {
    const double each = cost(scene);
    curves.seeds = each * static_cast<double>(kSeeds) * 65.0 < kBudget ? kSeeds : kSeeds / 4;
    const Samples s = samples(from, to, each * static_cast<double>(curves.seeds));
    place(curves, s);
    const auto count = static_cast<std::size_t>(s.count);
    std::vector<double> sum(count), squares(count);
    Scene one = scene;
    one.content = {"seeded", {{"seed", 0}, {"weights", "seeded"}}};
    for (std::size_t seed = 0; seed < curves.seeds; ++seed) {
        one.content.parameters["seed"] = seed;
        const auto values = logits(one, s, curves.query);
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

void make_all(Curves& curves, const Scene& scene) {
    double dearest = 0.0;
    std::vector<Scene> scenes;
    for (const Encoding* encoding : encodings()) {
        if (encoding->kind == scene.encoding.kind) scenes.push_back(scene);
        else if (auto laid = overlay(scene, {{"encoding", std::string(encoding->kind)}}))
            scenes.push_back(std::move(laid->scene));
        else continue;
        dearest = std::max(dearest, cost(scenes.back()));
    }
    const Samples s = samples(0.0, static_cast<double>(scene.length - 1), 4.0 * dearest);
    place(curves, s);
    for (const Scene& one : scenes) {
        std::optional<std::int64_t> query;
        auto values = logits(one, s, query);
        if (!values || !std::isfinite(values->front())) continue;
        const double zero = values->front();
        for (double& value : *values) value -= zero;
        if (query) curves.query = query;
        curves.curves.push_back(
            {.name = find_encoding(one.encoding.kind)->kind, .values = std::move(*values)});
    }
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

double computed_at(const Scene& scene, Derived& derived, Mode mode, const Curves& curves,
                   std::int64_t distance) {
    const bool circles = on_unit_circles(scene);
    const auto score = [&](ScoreKind kind) {
        return score_at(derived.score_form(scene, kind), *derived.spectrum(scene), distance);
    };
    const auto logit = [&]() -> double {
        if (mode == Mode::weight && (distance < 0 || distance >= scene.length)) return std::nan("");
        const bool formed =
            circles && encoding_of(scene).acts == Acts::query_key && derived.logits_problem(scene) == nullptr;
        const double value = formed ? score(ScoreKind::logit) : derived.logit(scene, distance);
        return std::abs(value) < kLargest ? value : std::nan("");
    };
    switch (mode) {
        case Mode::dot: return circles ? score(ScoreKind::dot) : std::nan("");
        case Mode::norm: return circles ? score(ScoreKind::norm) : std::nan("");
        case Mode::shares:
            return score(encoding_of(scene).acts == Acts::query_key ? ScoreKind::logit : ScoreKind::dot);
        case Mode::envelope: return envelope(*derived.spectrum(scene), distance);
        case Mode::weight: return std::exp(logit() - curves.log_sum);
        case Mode::logit: return logit();
        case Mode::seeds:
        case Mode::all: break;
    }
    // The nearest distance that was taken.
    for (const Curve& curve : curves.curves) {
        if (mode == Mode::all && curve.name != scene.encoding.kind) continue;
        const auto place =
            std::lower_bound(curves.at.begin(), curves.at.end(), static_cast<double>(distance));
        if (place == curves.at.end() || static_cast<double>(distance) < curves.at.front())
            return std::nan("");
        return curve.values[static_cast<std::size_t>(place - curves.at.begin())];
    }
    return std::nan("");
}

}  // namespace

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

const Curves& curves_of(const Scene& scene, Derived& derived, Mode mode, double from, double to) {
    Kept& kept = derived.part<Kept>();
    if (mode == Mode::weight || mode == Mode::all) from = to = 0.0;  // they do not follow the view
    Made& made = kept.made;
    if (made.fits(scene, mode, from, to)) return made.curves;
    made.done = true;
    made.scene = scene;
    made.mode = mode;
    made.from = from;
    made.to = to;
    made.curves = {};
    made.curves.version = ++kept.next_version;
    switch (mode) {
        case Mode::dot: make_plain(made.curves, scene, derived, ScoreKind::dot, from, to); break;
        case Mode::norm: make_plain(made.curves, scene, derived, ScoreKind::norm, from, to); break;
        case Mode::logit: make_plain(made.curves, scene, derived, ScoreKind::logit, from, to); break;
        case Mode::weight: make_weight(made.curves, scene); break;
        case Mode::shares: make_shares(made.curves, scene, derived, from, to); break;
        case Mode::envelope: make_envelope(made.curves, scene, derived, from, to); break;
        case Mode::seeds: make_seeds(made.curves, scene, from, to); break;
        case Mode::all: make_all(made.curves, scene); break;
    }
    measure(made.curves);
    return made.curves;
}

const Curves& difference(Derived& keeper, const Curves& a, const Curves& b) {
    Kept& kept = keeper.part<Kept>();
    if (kept.of_a == a.version && kept.of_b == b.version && !kept.less.curves.empty()) return kept.less;
    kept.of_a = a.version;
    kept.of_b = b.version;
    kept.less = a;
    kept.less.deviation.clear();
    kept.less.curves.resize(1);
    std::vector<double>& values = kept.less.curves.front().values;
    const std::vector<double>& of_b = b.curves.front().values;
    // Both may have taken other distances: B's value is that at the same one, or none.
    std::size_t j = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        while (j < b.at.size() && b.at[j] < a.at[i]) ++j;
        values[i] = j < b.at.size() && b.at[j] == a.at[i] ? of_b[j] - values[i] : std::nan("");
    }
    measure(kept.less);
    return kept.less;
}

double value_at(const Scene& scene, Derived& derived, Mode mode, const Curves& curves,
                std::int64_t distance) {
    Kept& kept = derived.part<Kept>();
    const Kept::OneKey key{curves.version, distance};
    for (const auto& [known, value] : kept.ones)
        if (known == key) return value;
    const double value = computed_at(scene, derived, mode, curves, distance);
    kept.ones[kept.next_one++ % kept.ones.size()] = {key, value};
    return value;
}

bool stepped(std::string_view encoding) { return encoding == "t5" || encoding == "shaw"; }

}  // namespace posiscope::figures::scores
