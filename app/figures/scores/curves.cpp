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
constexpr std::int64_t kBounds = 800;  // columns of an envelope
constexpr double kBoundWork = 1e7;
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

Samples samples_of(const CurvesKey& key) { return samples(key.from, key.to, key.most); }

void make_logits(Curves& curves, const CurvesKey& key) {
    curves.problem =
        fill(curves, samples_of(key), band_work(key), logits_of(*key.input, key.head, curves.query));
}

std::vector<double> scores_of(const ScoreForm& form, const Spectrum& spectrum, std::int64_t first,
                              std::int64_t stride, std::int64_t count) {
    std::vector<double> row(static_cast<std::size_t>(count));
    score_curve(form, spectrum, first, stride, row);
    return row;
}

void make_scores(Curves& curves, const CurvesKey& key) {
    curves.problem = fill(curves, samples_of(key), band_work(key),
                          [&](std::int64_t first, std::int64_t stride, std::int64_t count) {
                              return std::vector<std::vector<double>>{scores_of(
                                  key.scoring->form, key.scoring->spectrum(), first, stride, count)};
                          });
}

// Of distances that are not all taken each stands for its neighbours, so that the weights still sum to one.
void make_weight(Curves& curves, const CurvesKey& key) {
    const ScoreInput& scene = *key.input;
    const Samples s = samples(0.0, static_cast<double>(scene.length - 1), key.most);
    double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
    std::int64_t taken = 0, of_largest = 0;
    curves.problem = fill(curves, s, band_work(key), logits_of(scene, key.head, curves.query),
                          [&](std::span<const double> values) {
                              for (const double value : values) {
                                  if (value > largest) {
                                      sum *= std::exp(largest - value);
                                      largest = value;
                                      of_largest = taken;
                                  }
                                  if (std::isfinite(value)) sum += std::exp(value - largest);
                                  ++taken;
                              }
                          });
    if (curves.problem) return;
    curves.query = scene.length - 1;
    curves.largest_at = static_cast<double>(s.first + of_largest * curves.every);
    curves.log_sum = largest + std::log(sum) + std::log(static_cast<double>(curves.every));
    for (std::vector<double>* values : {&curves.curves.front().values, &curves.curves.front().band})
        for (double& value : *values)
            value = std::isfinite(value) ? std::exp(value - curves.log_sum) : std::nan("");
}

void make_shares(Curves& curves, const CurvesKey& key) {
    const Spectrum& spectrum = key.scoring->spectrum();
    const ScoreForm& form = key.scoring->form;
    const std::size_t runs = std::min(kRuns, spectrum.pairs());
    std::vector<ScoreForm> parts(runs);
    std::vector<Spectrum> some(runs);
    for (std::size_t run = 0; run < runs; ++run) {
        const std::size_t begin = run * spectrum.pairs() / runs, end = (run + 1) * spectrum.pairs() / runs;
        parts[run].kind = ScoreKind::dot;
        parts[run].scale = form.scale;
        for (std::size_t i = begin; i < end; ++i) {
            parts[run].even.push_back(form.even[i]);
            parts[run].odd.push_back(form.odd[i]);
            some[run].frequency.push_back(spectrum.frequency[i]);
            some[run].step.push_back(spectrum.step[i]);
        }
        curves.curves.push_back({.first_pair = begin, .last_pair = end - 1});
    }
    curves.problem = fill(curves, samples_of(key), band_work(key),
                          [&](std::int64_t first, std::int64_t stride, std::int64_t count) {
                              std::vector<std::vector<double>> rows;
                              for (std::size_t run = 0; run < runs; ++run)
                                  rows.push_back(scores_of(parts[run], some[run], first, stride, count));
                              return rows;
                          });
}

// The bound over one column of distances: its least and largest, of every `every`-th of them.
void take_bound(Curve& curve, const Spectrum& spectrum, std::int64_t first, std::int64_t end,
                std::int64_t every) {
    const double begun = envelope(spectrum, first);
    double least = begun, largest = begun;
    for (std::int64_t distance = first + every; distance < end; distance += every) {
        const double value = envelope(spectrum, distance);
        least = std::min(least, value);
        largest = std::max(largest, value);
    }
    curve.values.push_back(begun);
    curve.band.push_back(least);
    curve.band.push_back(largest);
}

// Along log₁₀ Δ: a column holds all distances up to the next one.
void make_envelope(Curves& curves, const CurvesKey& key) {
    const Spectrum& spectrum = key.scoring->spectrum();
    const std::int64_t columns = std::min(kBounds, key.most);
    for (std::int64_t i = 0; i <= columns; ++i) {
        const double power =
            key.from + (key.to - key.from) * static_cast<double>(i) / static_cast<double>(columns);
        const auto distance = std::clamp<std::int64_t>(std::llround(std::pow(10.0, power)), 1, kLastPosition);
        if (curves.at.empty() || static_cast<double>(distance) > curves.at.back())
            curves.at.push_back(static_cast<double>(distance));
    }
    Curve& curve = curves.curves.emplace_back();
    // A window draws it at once: a column of many distances has no more of them taken than that allows.
    const double units = 50.0 * static_cast<double>(spectrum.pairs() * curves.at.size());
    const auto most = static_cast<std::int64_t>(std::max(1.0, std::min(band_work(key), kBoundWork) / units));
    bool all = true;
    for (std::size_t i = 0; i < curves.at.size(); ++i) {
        const auto first = static_cast<std::int64_t>(curves.at[i]);
        const auto end = i + 1 < curves.at.size() ? static_cast<std::int64_t>(curves.at[i + 1]) : first + 1;
        const std::int64_t every = (end - first + most - 1) / most;
        take_bound(curve, spectrum, first, end, every);
        all = all && every == 1;
        curves.taken += (end - first + every - 1) / every;
    }
    if (all) curves.taken = 0;
}

struct Moments {
    std::vector<double> mean, deviation;
};

// Over seeds of random content; `seeds`: how many.
Result<Moments> moments(const CurvesKey& key, std::size_t seeds, std::int64_t first, std::int64_t stride,
                        std::int64_t count, std::optional<std::int64_t>& query) {
    std::vector<double> sum(static_cast<std::size_t>(count)), squares(sum.size());
    ScoreInput one = *key.input;
    one.content = {"seeded", {{"seed", 0}, {"weights", "seeded"}}};
    for (std::size_t seed = 0; seed < seeds; ++seed) {
        one.content.parameters["seed"] = seed;
        const auto values = logits(one, key.head, first, stride, count, query);
        if (!values) return tl::unexpected(values.error());
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] += (*values)[i];
            squares[i] += (*values)[i] * (*values)[i];
        }
    }
    const auto n = static_cast<double>(seeds);
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] /= n;
        squares[i] = std::sqrt(std::max(0.0, squares[i] / n - sum[i] * sum[i]) * n / (n - 1.0));
    }
    return Moments{std::move(sum), std::move(squares)};
}

void make_seeds(Curves& curves, const CurvesKey& key) {
    const Samples s = samples_of(key);
    const double before = work_done();
    if (const auto one = moments(key, 1, s.first, s.stride, s.count, curves.query); !one) {
        curves.problem = one.error();
        return;
    }
    curves.seeds =
        static_cast<std::size_t>(std::clamp(key.exact_work / (work_done() - before + 1.0),
                                            static_cast<double>(kFewestSeeds), static_cast<double>(kSeeds)));
    // The mean, and where the band about it begins and ends.
    curves.problem =
        fill(curves, s, band_work(key), [&](std::int64_t first, std::int64_t stride, std::int64_t count) {
            return moments(key, curves.seeds, first, stride, count, curves.query).map([](Moments&& of) {
                std::vector<std::vector<double>> rows(3, std::move(of.mean));
                for (std::size_t i = 0; i < of.deviation.size(); ++i) {
                    rows[1][i] -= of.deviation[i];
                    rows[2][i] += of.deviation[i];
                }
                return rows;
            });
        });
    if (curves.problem) return;
    const Curve &mean = curves.curves[0], &above = curves.curves[2];
    for (std::size_t i = 0; i < mean.values.size(); ++i)
        curves.deviation.push_back(above.values[i] - mean.values[i]);
    for (std::size_t i = 0; i < mean.band.size(); i += 2) {
        curves.around.push_back(curves.curves[1].band[i]);
        curves.around.push_back(above.band[i + 1]);
    }
    curves.curves.resize(1);
}

// The value at a distance that was taken, or in whose column it lies.
double at_same(const Curves& curves, const Curve& curve, std::int64_t distance) {
    const auto i = curves.column_of(distance);
    return i ? curve.values[*i] : std::nan("");
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
    few.bands = false;
    return make_curves(few);
}

Curves less(const Curves& a, const Curves& b) {
    Curves made = a;
    made.curves.front().least = std::numeric_limits<double>::infinity();
    made.curves.front().most = -made.curves.front().least;
    made.deviation.clear();
    made.around.clear();
    made.curves.resize(1);
    made.curves.front().band.clear();  // the least of a difference is not that of its sides
    made.every = made.stride;
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

Result<std::vector<double>> logits(const ScoreInput& scene, std::int64_t head, std::int64_t first,
                                   std::int64_t stride, std::int64_t count,
                                   std::optional<std::int64_t>& query) {
    auto values = logits_by_distance(scene, head, first, stride, count);
    if (values || values.error().key != "encoding.not_by_distance") return values;
    query = scene.length - 1;
    return logits_of_query(scene, head, *query, first, stride, count);
}

Evaluate logits_of(const ScoreInput& input, std::int64_t head, std::optional<std::int64_t>& query) {
    return [&input, head, &query](std::int64_t first, std::int64_t stride, std::int64_t count) {
        return logits(input, head, first, stride, count, query).map([](std::vector<double>&& row) {
            return std::vector<std::vector<double>>{std::move(row)};
        });
    };
}

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
                if (std::abs(value) < kLargest) {
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
            return curves.curves.empty() ? std::nan("") : at_same(curves, curves.curves.front(), distance);
        case Mode::all: return logit() - derived.logit(scene, 0);
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
