// One question, one answer: scenes are made at random, and what several places say of the same thing is compared. A place may
// refuse; it may not say another number.
#include "core/attention/attention.hpp"
#include "core/attention/sight.hpp"
#include "core/encodings/as_formulas.hpp"
#include "core/encodings/own.hpp"
#include "core/encodings/turning.hpp"
#include "core/lessons/values.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scaling/trained.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <numeric>
#include <random>

namespace posiscope::same_number_test {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

class Scenes {
public:
    explicit Scenes(std::uint64_t seed) : engine_(seed) {}

    // Small enough for every pair of tokens to be tried.
    Scene next() {
        for (;;) {
            const std::int64_t width = 4 * (1 + below(6)), heads = one_in(3) ? 2 : 1;
            Json partial{{"d_model", width * heads},
                         {"num_heads", heads},
                         {"length", 1 + below(20)},
                         {"base", of({10000.0, 100.0, 500000.0, 2.0})},
                         {"layout", one_in(2) ? "interleaved" : "half"},
                         {"causal", one_in(2)},
                         {"content", one_in(2) ? "seeded" : "equal"},
                         {"encoding", encoding(width)}};
            if (one_in(2)) partial["trained"] = {{"length", 1 + below(12)}};
            const auto laid = overlay(Scene(), partial);
            if (!laid) continue;
            Scene scene = laid->scene;
            scene.position = below(scene.length);
            scene.offset = below(scene.length) - scene.position;
            scene.pair = below(std::max<std::int64_t>(encoding_of(scene).pairs(scene), 1));
            return scene;
        }
    }
    std::int64_t below(std::int64_t end) {
        return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(end));
    }

private:
    bool one_in(std::int64_t n) { return below(n) == 0; }
    template <class T>
    T of(std::initializer_list<T> list) {
        return *(list.begin() + below(std::ssize(list)));
    }

    Json rope(std::int64_t width) {
        Json made{{"kind", "rope"}};
        if (one_in(3))
            made["rope_scaling"] =
                of<Json>({{{"rope_type", "linear"}, {"factor", 4.0}},
                          {{"rope_type", "dynamic"}, {"factor", 2.0}},
                          {{"rope_type", "ntk"}, {"alpha", 8.0}},
                          {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 8}},
                          {{"rope_type", "llama3"},
                           {"factor", 8.0},
                           {"low_freq_factor", 1.0},
                           {"high_freq_factor", 4.0},
                           {"original_max_position_embeddings", 16}}});
        if (one_in(4)) made["rotary_dim"] = width / 2 + width / 2 % 2;
        switch (below(7)) {
            case 0: made["grid"] = {1 + below(3), 1 + below(3), 1 + below(4)}; [[fallthrough]];
            case 1: made["mrope_section"] = {width / 4, width / 8, width / 2 - width / 4 - width / 8}; break;
            case 2: made["dual_chunk_attention_config"] = {{"chunk_size", 6}, {"local_size", 2}}; break;
            case 3: made["sliding_window"] = 1 + below(8); break;
            case 4: made["no_rope_layer_interval"] = 2, made["layer"] = below(2); break;
            default: break;
        }
        return made;
    }
    Json own() {
        Json made{{"kind", "own"}};
        if (!one_in(8)) made["frequency"] = of<std::string>({"b^(-2i/d)", "1/(1+i)", "0.3*i", "pi/4"});
        if (one_in(4))
            made["position"] = of<std::string>({"sqrt(p)", "log(1+p)", "p/3", "p + 0.25", "floor(p/2)"});
        if (one_in(4))
            made["distance"] =
                of<std::string>({"min(abs(D),4)*sign(D)", "log(1+abs(D))*sign(D)", "q - k/2", "D"});
        if (one_in(4)) made["amplitude"] = of<std::string>({"exp(-0.05*abs(D))", "1/(1+i)", "1+0*D"});
        if (one_in(5)) made["bias"] = of<std::string>({"-0.1*abs(D)", "h - D/9"});
        if (one_in(6)) made["scale"] = "1 + 0.01*q";
        if (one_in(6)) made["add"] = "sin(p/(1+j))";
        if (one_in(6)) made["axis"] = "mod(i,3)", made["grid"] = {2, 3, 1 + below(4)};
        return made;
    }
    Json encoding(std::int64_t width) {
        switch (below(7)) {
            case 0:
                return {{"kind", "sinusoidal"},
                        {"variant",
                         of<std::string>({"paper", "halves", "tensor2tensor", "two_pi", "double_exponent"})}};
            case 1: return {{"kind", "xpos"}, {"scale_base", of({8.0, 512.0})}};
            case 2: {
                Json made{{"kind", "rope_2d"}, {"axis_order", one_in(2) ? "xy" : "yx"}};
                if (!one_in(3)) made["grid_width"] = 1 + below(6);
                return made;
            }
            case 3: return std::string(one_of_all());
            case 4:
            case 5: return own();
            default: return rope(width);
        }
    }
    std::string_view one_of_all() {
        const auto kinds = encoding_kinds();
        return kinds[static_cast<std::size_t>(below(std::ssize(kinds)))];
    }

    std::mt19937_64 engine_;
};

// What is counted: that each comparison happens, and that nothing is refused that could be said.
std::map<std::string, int> compared;

void same(const char* what, double a, double b, double size, const Scene& scene) {
    ++compared[what];
    if (std::isnan(a) && std::isnan(b)) return;
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
    Scenes made(20261127);
    for (int n = 0; n < scenes && !HasFailure(); ++n) {
        const Scene scene = made.next();
        const auto action = action_of(scene);
        if (!action) continue;
        check_formulas(scene, *action);
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
}

}  // namespace
}  // namespace posiscope::same_number_test
