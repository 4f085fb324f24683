// One question, one answer: scenes are made at random, and what several places say of the same thing is compared. A place may
// refuse; it may not say another number.
#include "core/attention/attention.hpp"
#include "core/attention/sight.hpp"
#include "core/claims/claims.hpp"
#include "core/encodings/as_formulas.hpp"
#include "core/encodings/own.hpp"
#include "core/encodings/turning.hpp"
#include "core/lessons/values.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scaling/trained.hpp"
#include "core/scene/content.hpp"
#include "tests/small_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <numeric>

namespace posiscope::same_number_test {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

// What is counted: that each comparison happens, and that nothing is refused that could be said.
std::map<std::string, int> compared;

void same(const char* what, double a, double b, double size, const Scene& scene) {
    ++compared[what];
    // A file has no infinity.
    if ((std::isnan(a) || std::isinf(a)) && (std::isnan(b) || a == b)) return;
    EXPECT_LE(std::abs(a - b), 1e-9 * (1.0 + size)) << what << ": " << a << " and " << b << "\n"
                                                    << to_json(scene).dump();
}

// Arrays by name; empty where the quantity refuses.
using Named = std::map<std::string, std::vector<double>, std::less<>>;
Named data(std::string_view quantity, const Scene& scene) {
    Named named;
    const auto arrays = evaluate(*find_quantity(quantity), scene, std::uint64_t{1} << 30U);
    if (!arrays) return named;
    for (const Array& array : *arrays) named[std::string(array.shape.name)] = array.values;
    return named;
}

// Row 0 of q and k of head 0, as the curves by distance have it.
std::vector<double> content(const Scene& scene, Tensor side) {
    std::vector<double> x(static_cast<std::size_t>(head_dim(scene)));
    content_values(scene.content, side, 0, x);
    return x;
}

// The logit of head 0 from the Action alone.
double logit_of_action(const Scene& scene, const Action& action, std::int64_t query, std::int64_t key) {
    std::vector<double> q = content(scene, Tensor::query), k = content(scene, Tensor::key);
    if (action.turn) action.turn(Side::query, query, q), action.turn(Side::key, key, k);
    double product = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
    if (action.content) product += action.content({0, query, key, q, k});
    return (action.weight ? action.weight(0, query, key) : 1.0) * action.scale * product +
           (action.bias ? action.bias(0, query, key) : 0.0);
}

// The same from its Turning.
double logit_of_turning(const Scene& scene, const Action& action, const Turning& turning, std::int64_t query,
                        std::int64_t key) {
    const std::vector<double> q = content(scene, Tensor::query), k = content(scene, Tensor::key);
    const PairLayout layout = encoding_of(scene).layout(scene);
    const auto pairs = static_cast<std::int64_t>(turning.pairs());
    double product = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
    const double squared = turning.spectrum.attention_factor * turning.spectrum.attention_factor;
    for (std::int64_t i = 0; i < pairs; ++i) {
        const auto pair = static_cast<std::size_t>(i),
                   a = static_cast<std::size_t>(dimension(layout, pairs, {i, 0})),
                   b = static_cast<std::size_t>(dimension(layout, pairs, {i, 1}));
        const PairAngle angle = turning.between(pair, query, key);
        const double even = q[a] * k[a] + q[b] * k[b], odd = q[a] * k[b] - q[b] * k[a];
        product += squared * turning.size(pair, query, key) * (even * angle.cos + odd * angle.sin) - even;
    }
    return (action.weight ? action.weight(0, query, key) : 1.0) * action.scale * product +
           (action.bias ? action.bias(0, query, key) : 0.0);
}

double factor_of_chunks(const Scene& scene) { return rotation_of(scene) == Rotation::chunks ? 0.0 : 1.0; }

void check_logits(const Scene& scene, const Action& action, const Turning& turning) {
    const auto n = std::min(scene.length, action.positions);
    const Named scores = data("scores", scene);
    const bool rotates = encoding_of(scene).acts == Acts::query_key && !action.add;
    for (std::int64_t query = 0; query < n; ++query)
        for (std::int64_t key = 0; key < n; ++key) {
            const double logit = logit_of_action(scene, action, query, key);
            if (rotates && factor_of_chunks(scene) == 1.0)
                same("logit: action, turning", logit, logit_of_turning(scene, action, turning, query, key),
                     4.0, scene);
            if (!scores.empty() && !action.add)
                same("logit: action, data scores", logit,
                     scores.at("logit")[static_cast<std::size_t>(query - key + scene.length - 1)], 4.0,
                     scene);
            if (action.add) continue;
            auto curve = action.by_distance ? logits_by_distance(scene, 0, query - key, 1, 1)
                                            : logits_of_query(scene, 0, query, query - key, 1, 1);
            if (curve && !std::isnan((*curve)[0]))
                same("logit: action, curve", logit, (*curve)[0], 4.0, scene);
        }
    if (scores.empty() || action.add) return;
    // Its parts add up to the product at the Scene's offset.
    const std::vector<double>& shares = scores.at("share");
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const std::vector<double> q = content(scene, Tensor::query), k = content(scene, Tensor::key);
    double rest = 0.0;
    if (rotation_of(scene) == Rotation::circles && shares.size() * 2 == q.size() && !action.weight &&
        !action.bias)
        same("logit: shares, data scores", sum + rest,
             scores.at("logit")[static_cast<std::size_t>(scene.offset + scene.length - 1)], 4.0, scene);
}

void check_angles(const Scene& scene, const Action& action, const Turning& turning) {
    const auto n = std::min(scene.length, action.positions);
    const auto pairs = static_cast<std::int64_t>(turning.pairs());
    const PairLayout layout = encoding_of(scene).layout(scene);
    const Named phase = data("phase", scene), cache = data("cache", scene), shift = data("shift", scene);
    const bool steady = is_steady(rotation_of(scene));
    for (std::int64_t i = 0; i < pairs; ++i) {
        const auto pair = static_cast<std::size_t>(i);
        for (std::int64_t token = 0; token < n; ++token) {
            const auto at = static_cast<std::size_t>(token * pairs + i);
            if (!turning.of_tokens()) {
                EXPECT_TRUE(phase.empty() && cache.empty()) << to_json(scene).dump();
                continue;
            }
            const PairAngle angle = turning.angle(pair, token);
            const double factor = turning.spectrum.attention_factor;
            if (steady)
                same("angle: turning, frequency", angle.cos,
                     std::cos(turning.spectrum.frequency[pair] * static_cast<double>(token)), 1.0, scene);
            if (!phase.empty())
                same("angle: turning, data phase", std::cos(phase.at("angle")[at]), angle.cos, 1.0, scene);
            if (!cache.empty()) {
                same("angle: turning, data cache", cache.at("cos")[at], factor * angle.cos, 1.0, scene);
                same("angle: turning, data cache", cache.at("sin")[at], factor * angle.sin, 1.0, scene);
            }
            if (action.turn && encoding_of(scene).acts == Acts::query_key &&
                turning.spectrum.growth.empty()) {
                std::vector<double> x(static_cast<std::size_t>(head_dim(scene)), 0.0);
                x[static_cast<std::size_t>(dimension(layout, pairs, {i, 0}))] = 1.0;
                action.turn(Side::key, token, x);
                same("angle: turning, action", x[static_cast<std::size_t>(dimension(layout, pairs, {i, 1}))],
                     factor * angle.sin, 1.0, scene);
            }
        }
        if (!shift.empty() && encoding_of(scene).acts == Acts::query_key && turning.spectrum.growth.empty()) {
            const PairAngle angle = turning.angle(pair, scene.position + scene.offset);
            same("angle: turning, data shift",
                 shift.at("actual")[static_cast<std::size_t>(dimension(layout, pairs, {i, 0}))], angle.cos,
                 1.0, scene);
        }
    }
}

void check_turns(const Scene& scene, const Action& action, const Turning& turning) {
    const Named turns = data("turns", scene);
    if (turns.empty()) return;
    const auto n = std::min(scene.length, action.positions);
    if (n != scene.length) return;
    const bool windowed = scene.encoding.parameters.contains("sliding_window");
    for (std::size_t i = 0; i < turning.pairs(); ++i) {
        double most = 0.0;
        for (std::int64_t query = 0; query < n; ++query)
            for (std::int64_t key = 0; key < n; ++key)
                most = std::max(most, std::abs(turning.seen(i, query, key)));
        const double reach = turning.spectrum.frequency[i] == 0.0
                                 ? most
                                 : turns.at("turns")[i] * kTurn / turning.spectrum.frequency[i];
        // One step more than the largest distance, as the length is, where steps are whole.
        const bool whole =
            !turning.position && !(turning.distance && rotation_of(scene) == Rotation::distance);
        if (!windowed && turning.spectrum.frequency[i] != 0.0)
            same("turns: every pair of tokens, data turns", reach, whole ? most + 1.0 : most, most, scene);
        const auto lesson = [&](std::string_view name) {
            Scene of = scene;
            of.pair = static_cast<std::int64_t>(i);
            return lessons::find_value(name)->of(of);
        };
        if (const auto value = lesson("pair.reach"))
            same("turns: lesson, data turns", *value / kTurn, turns.at("turns")[i], *value, scene);
        if (const auto value = lesson("pair.angle"))
            same("angle: lesson, turning", std::cos(*value), turning.angle(i, scene.position).cos, 1.0,
                 scene);
    }
}

// Whoever multiplies a frequency by a distance of tokens has to refuse here.
void check_refusals(const Scene& scene) {
    const bool steady = is_steady(rotation_of(scene)) || rotation_of(scene) == Rotation::nothing;
    for (const char* quantity : {"distance", "shift", "rotation", "rank", "precision", "trace", "columns",
                                 "gap", "chord", "independence", "key_shifts", "stale_keys"})
        if (!steady) {
            ++compared[std::string("refused: ") + quantity];
            EXPECT_TRUE(data(quantity, scene).empty()) << quantity << '\n' << to_json(scene).dump();
        }
}

// One number under several names: a claim's, a lesson's and what `posiscope data` writes. A place may refuse.
using Place = std::pair<std::string, std::function<std::optional<double>(const Scene&)>>;
struct Number {
    const char* name;
    std::vector<Place> places;
    double size = 1.0;                   // roundings are of numbers about so large
    bool (*of)(const Scene&) = nullptr;  // null: every Scene
};

Place claim(const char* id, std::string_view number = "value") {
    return {fmt::format("claim {}", id), [id, number](const Scene& scene) -> std::optional<double> {
                const auto made = measure(*find_measure(id), scene);
                if (!made || made->said() == kUnseen) return std::nullopt;
                if (number == "value") return made->value;
                for (const auto& [name, value] : made->numbers)
                    if (name == number) return value;
                return std::nullopt;
            }};
}
// Where nothing rises, no rise is the first.
const Place first_of_rises = {"claim A10", [](const Scene& scene) -> std::optional<double> {
                                  return claim("A10").second(scene).value_or(0.0) > 0.0
                                             ? claim("A10", "first").second(scene)
                                             : std::nullopt;
                              }};
Place lesson(std::string_view name) {
    return {fmt::format("lesson {}", name), [name](const Scene& scene) -> std::optional<double> {
                const auto value = lessons::find_value(name)->of(scene);
                return value ? std::optional(*value) : std::nullopt;
            }};
}
using Entry = std::int64_t (*)(const Scene&);
Place written(std::string_view quantity, std::string_view array, Entry entry) {
    return {fmt::format("data {}", quantity), [=](const Scene& scene) -> std::optional<double> {
                const Named named = data(quantity, scene);
                const auto found = named.find(array);
                if (found == named.end()) return std::nullopt;
                const std::int64_t at = entry(scene);
                return at >= 0 && at < std::ssize(found->second)
                           ? std::optional(found->second[static_cast<std::size_t>(at)])
                           : std::nullopt;
            }};
}
bool adds(const Scene& s) { return encoding_of(s).acts == Acts::input; }
bool turns(const Scene& s) { return encoding_of(s).acts == Acts::query_key; }
std::int64_t only(const Scene&) { return 0; }
std::int64_t of_pair(const Scene& s) { return s.pair; }
std::int64_t of_last_pair(const Scene& s) { return encoding_of(s).pairs(s) - 1; }
// Δ = query − key, and the other sign.
std::int64_t of_distance(const Scene& s) { return s.length - 1 + s.offset; }
std::int64_t of_other_sign(const Scene& s) { return s.length - 1 - s.offset; }
std::int64_t of_tokens(const Scene& s) { return (s.position + s.offset) * s.length + s.position; }
std::int64_t of_sine(const Scene& s) {
    return dimension(encoding_of(s).layout(s), encoding_of(s).pairs(s), {s.pair, 0});
}
std::int64_t of_cosine(const Scene& s) {
    return dimension(encoding_of(s).layout(s), encoding_of(s).pairs(s), {s.pair, 1});
}

const std::vector<Number>& numbers() {
    static const std::vector<Number> list = {
        {"product of positions",
         {claim("A9", "product"), claim("A10", "here"), claim("B8", "product"), lesson("score.dot"),
          written("distance", "dot", of_distance)},
         8.0,
         adds},
        {"product of query and key",
         {claim("C1", "score"), claim("C3", "score"), claim("C4", "score"), claim("C5", "score"),
          lesson("score.dot"), written("distance", "dot", of_distance)},
         8.0,
         turns},
        {"product of the other sign",
         {claim("C1", "other_sign"), claim("C9", "minus"), written("distance", "dot", of_other_sign)},
         8.0,
         turns},
        {"logit", {lesson("score.logit"), written("scores", "logit", of_distance)}, 8.0},
        {"norm of the difference", {lesson("score.norm"), written("distance", "norm", of_distance)}},
        {"chord of all pairs", {claim("B14", "whole"), written("chord", "whole", only)}},
        {"chord of the pair", {claim("B14", "pair_chord"), written("chord", "chord", of_pair)}},
        {"first rise", {first_of_rises, lesson("score.first_rise")}, 1.0, adds},
        {"error of the shift", {claim("A1"), lesson("shift.error"), written("shift", "max_abs_error", only)}},
        {"first of the pair", {claim("A8", "first"), written("shift", "actual", of_sine)}},
        {"second of the pair", {claim("A8", "second"), written("shift", "actual", of_cosine)}},
        {"fastest", {claim("A4", "first"), written("frequencies", "inv_freq", only)}},
        {"slowest", {claim("A4", "last"), claim("A5"), written("frequencies", "inv_freq", of_last_pair)}},
        {"shortest wavelength",
         {claim("A4", "first_wavelength"), lesson("spectrum.fastest"),
          written("frequencies", "wavelength", only)}},
        {"longest wavelength",
         {claim("A4", "last_wavelength"), lesson("spectrum.slowest"),
          written("frequencies", "wavelength", of_last_pair)}},
        {"frequency", {lesson("pair.frequency"), written("frequencies", "inv_freq", of_pair)}},
        {"wavelength", {lesson("pair.wavelength"), written("frequencies", "wavelength", of_pair)}},
        {"exact rank",
         {claim("B16", "rank"), claim("B17", "exact"), written("independence", "exact_rank", only)}},
        {"rank in float64", {claim("B17", "rank"), lesson("rank"), written("rank", "rank", only)}},
        {"least gap", {claim("B23"), lesson("gap.least"), written("gap", "least", only)}},
        {"least sine column", {claim("B22", "sum"), lesson("columns.least")}},
        {"power in a bin", {claim("B9", "strongest"), written("dft", "strongest", of_sine)}},
        {"unfinished", {claim("B26"), lesson("spectrum.unfinished")}},
        {"pairs with new angles", {claim("B29"), claim("C16", "unseen"), lesson("unseen.count")}},
        {"below zero", {claim("B32"), lesson("spectrum.below_zero"), written("base", "below_zero", only)}},
        {"least base",
         {claim("B32", "least"), lesson("spectrum.least_base"), written("base", "least_base", only)}},
        {"interleaved",
         {claim("C6", "interleaved"), lesson("mixed.interleaved"),
          written("mixed", "interleaved", of_tokens)},
         8.0},
        {"halves", {claim("C6", "half"), lesson("mixed.half"), written("mixed", "half", of_tokens)}, 8.0},
        {"mixed", {claim("C6", "mixed"), lesson("mixed.score"), written("mixed", "mixed", of_tokens)}, 8.0},
        {"moved by order", {claim("C-PERM", "moved"), claim("B25", "moved"), lesson("order.moved")}, 4.0},
        {"residual of order", {claim("C-PERM"), claim("B25"), lesson("order.residual")}, 4.0},
        {"pooled", {claim("C22"), claim("C22", "pooled"), lesson("order.pooled")}, 4.0},
        {"pairs that turn", {claim("C18"), lesson("spectrum.pairs")}},
    };
    return list;
}

void check_names(const Scene& scene) {
    for (const Number& number : numbers()) {
        if (number.of != nullptr && !number.of(scene)) continue;
        std::optional<double> first;
        const Place* from = nullptr;
        for (const Place& place : number.places) {
            const auto value = place.second(scene);
            if (!value) continue;
            if (first) {
                const std::string what = fmt::format("{}: {}, {}", number.name, from->first, place.first);
                same(what.c_str(), *first, *value, number.size, scene);
            } else {
                first = value, from = &place;
            }
        }
    }
}

// The formulas that every program and LaTeX are printed from, typed as an encoding of one's own; tests/code_test.py runs the
// programs.
void check_formulas(const Scene& scene, const Action& action) {
    if (is_own(scene.encoding.kind)) return;
    auto formulas = as_formulas(scene);
    if (!formulas) return;
    (*formulas)["kind"] = std::string(own_encoding().kind);
    const auto typed = overlay(scene, {{"encoding", *formulas}});
    ASSERT_TRUE(typed) << formulas->dump() << "\n" << to_string(typed.error());
    const auto made = action_of(typed->scene);
    ASSERT_TRUE(made) << formulas->dump() << "\n" << to_string(made.error());
    const auto n = std::min(scene.length, std::min(action.positions, made->positions));
    const Sight sight = sight_of(scene);
    for (std::int64_t query = 0; query < n; ++query) {
        if (action.add) {
            std::vector<double> a(static_cast<std::size_t>(scene.d_model), 0.0), b = a;
            action.add(query, a), made->add(query, b);
            for (std::size_t c = 0; c < a.size(); ++c)
                same("input: action, formulas", a[c], b[c], 1.0, scene);
        }
        for (std::int64_t key = 0; key < n && !action.add; ++key)
            if (sight.unseen(query, key) == Sight::Cause::none)
                same("logit: action, formulas", logit_of_action(scene, action, query, key),
                     logit_of_action(typed->scene, *made, query, key), 4.0, scene);
    }
}

TEST(SameNumber, Everywhere) {
    const char* more = std::getenv("POSISCOPE_SCENES");
    const int scenes = more != nullptr ? std::atoi(more) : 2000;
    test::SmallScenes made(20261127);
    for (int n = 0; n < scenes && !HasFailure(); ++n) {
        const Scene scene = made.next();
        const auto action = action_of(scene);
        if (!action) continue;
        check_formulas(scene, *action);
        if (n % 4 == 0) check_names(scene);
        const Rotation rotation = rotation_of(scene);
        const auto turning = turning_of(scene);
        EXPECT_EQ(turning.has_value(), rotation != Rotation::nothing) << to_json(scene).dump();
        if (!turning) {
            check_logits(scene, *action, Turning{});
            continue;
        }
        EXPECT_EQ(turning->steady(), is_steady(rotation)) << to_json(scene).dump();
        EXPECT_EQ(steady_spectrum_of(scene).has_value(), is_steady(rotation)) << to_json(scene).dump();
        check_logits(scene, *action, *turning);
        check_angles(scene, *action, *turning);
        check_turns(scene, *action, *turning);
        check_refusals(scene);
    }
    for (const char* what :
         {"logit: action, turning", "logit: action, data scores", "logit: action, curve",
          "logit: shares, data scores", "angle: turning, frequency", "angle: turning, data phase",
          "angle: turning, data cache", "angle: turning, action", "angle: turning, data shift",
          "turns: every pair of tokens, data turns", "turns: lesson, data turns", "angle: lesson, turning",
          "refused: trace", "logit: action, formulas", "input: action, formulas"})
        EXPECT_GT(compared[what], 20) << what << " was hardly ever compared";
    for (const Number& number : numbers())
        EXPECT_GT(std::accumulate(compared.begin(), compared.end(), 0,
                                  [&](int sum, const auto& one) {
                                      return sum + (one.first.starts_with(number.name) ? one.second : 0);
                                  }),
                  20)
            << number.name << " was hardly ever compared";
}

}  // namespace
}  // namespace posiscope::same_number_test
