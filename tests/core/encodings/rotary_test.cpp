// Rotary encodings: lengths kept, layouts permuted, scores that depend only on the distance.
#include "core/attention/attention.hpp"
#include "core/attention/expansion.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/encodings/turning.hpp"
#include "core/scores/score.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>

namespace posiscope::rotary_test {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<double> any_features(std::int64_t count) {
    std::vector<double> x;
    for (std::int64_t i = 0; i < count; ++i) x.push_back(*rc::gen::inRange(-1000, 1001) * 1e-3);
    return x;
}

// One scene of every kind of rotary encoding.
const std::vector<std::string> kRotary = {
    R"({"encoding": "rope", "d_model": 32})",
    R"({"encoding": "rope", "layout": "half", "d_model": 32})",
    R"({"encoding": {"kind": "rope", "partial_rotary_factor": 0.25}, "layout": "half", "d_model": 32, "pair": 0})",
    R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 64}}, "d_model": 32})",
    R"({"encoding": {"kind": "rope", "mrope_section": [4, 6, 6]}, "layout": "half", "d_model": 32})",
    R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "proportional", "partial_rotary_factor": 0.5}}, "layout": "half", "d_model": 32})",
    R"({"encoding": "xpos", "d_model": 32})",
    R"({"encoding": "rope_2d", "d_model": 32})",
    R"({"encoding": {"kind": "rope", "no_rope_layer_interval": 2, "layer": 1}, "d_model": 32})",
};

RC_GTEST_PROP(Rotary, TurningKeepsEveryLength, ()) {
    const Scene s = scene(*rc::gen::elementOf(kRotary));
    if (s.encoding.kind == "xpos") return;
    const Turning rotation = *turning_of(s);
    const Spectrum& made = rotation.spectrum;
    const auto x = any_features(head_dim(s));
    auto turned = x;
    rotation.rotate(Side::query, *rc::gen::inRange<std::int64_t>(0, kLastPosition), encoding_of(s).layout(s),
                    turned);
    const auto turning = std::span(turned).first(2 * made.pairs());
    const double factor = made.attention_factor;
    RC_ASSERT(std::abs(dot(turning, turning) - factor * factor *
                                                   dot(std::span(x).first(2 * made.pairs()),
                                                       std::span(x).first(2 * made.pairs()))) < 1e-12);
    for (std::size_t f = 2 * made.pairs(); f < x.size(); ++f) RC_ASSERT(turned[f] == x[f]);
}

RC_GTEST_PROP(Rotary, ALayoutIsAPermutationOfTheOther, ()) {
    const std::int64_t pairs = *rc::gen::inRange(1, 40), features = 2 * pairs + *rc::gen::inRange(0, 10);
    const Spectrum made =
        geometric_spectrum(10000.0, static_cast<std::size_t>(pairs), static_cast<std::uint64_t>(pairs));
    const auto position = *rc::gen::inRange<std::int64_t>(0, kLastPosition);
    const auto permutation = to_halves(pairs, features);
    const auto permuted = [&](const std::vector<double>& x) {
        std::vector<double> y;
        for (const std::int64_t from : permutation) y.push_back(x[static_cast<std::size_t>(from)]);
        return y;
    };
    auto interleaved = any_features(features);
    auto half = permuted(interleaved);
    const Turning rotation{.spectrum = made};
    rotation.rotate(Side::query, position, PairLayout::interleaved, interleaved);
    rotation.rotate(Side::query, position, PairLayout::halves, half);
    RC_ASSERT(half == permuted(interleaved));
}

RC_GTEST_PROP(Rotary, AScoreDoesNotKnowWhereItStands, ()) {
    const Scene s = scene(*rc::gen::elementOf(kRotary));
    const auto action = *action_of(s);
    const auto q = any_features(head_dim(s)), k = any_features(head_dim(s));
    const auto distance = *rc::gen::inRange<std::int64_t>(0, 200),
               shift = *rc::gen::inRange<std::int64_t>(0, 3000);
    const auto score = [&](std::int64_t query, std::int64_t key) {
        auto x = q, y = k;
        if (action.turn) {
            action.turn(Side::query, query, x);
            action.turn(Side::key, key, y);
        }
        return dot(x, y);
    };
    const double size = std::sqrt(dot(q, q) * dot(k, k)) + 1e-300;
    RC_ASSERT(std::abs(score(distance + shift, shift) - score(distance, 0)) < 1e-12 * size);
}

RC_GTEST_PROP(Rotary, LogitsByDistanceAreTheScores, ()) {
    Scene s = scene(*rc::gen::elementOf(kRotary));
    s.content = scene(R"({"content": "seeded"})").content;
    const Spectrum made = *spectrum_of(s);
    const ScoreForm form = score_form(s, made, ScoreKind::logit);
    const auto logits = logits_by_distance(s, 0, -50, 7, 20);
    RC_ASSERT(logits.has_value());
    std::vector<double> curve(20);
    score_curve(form, made, -50, 7, curve);
    for (std::size_t n = 0; n < 20; ++n) {
        RC_ASSERT(std::abs((*logits)[n] - score_at(form, made, -50 + 7 * static_cast<std::int64_t>(n))) <
                  1e-12);
        RC_ASSERT(std::abs((*logits)[n] - curve[n]) < 1e-12);
    }
}

TEST(Rotary, XposScoreDoesNotDependOnTheLength) {
    const auto logit = [](const char* length) {
        return (*attention(scene(
                    std::string(R"({"encoding": "xpos", "d_model": 32, "content": "seeded", "length": )") +
                    length + "}")))
            .logits[12];
    };
    const auto a =
        attention(scene(R"({"encoding": "xpos", "d_model": 32, "content": "seeded", "length": 5})"));
    const auto b =
        attention(scene(R"({"encoding": "xpos", "d_model": 32, "content": "seeded", "length": 50})"));
    ASSERT_TRUE(a && b);
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j <= i; ++j) EXPECT_NEAR(a->logits[i * 5 + j], b->logits[i * 50 + j], 1e-13);
    EXPECT_EQ(logit("5"), a->logits[12]);
}

TEST(Rotary, MropeOnTextIsPlainRope) {
    const auto text =
        spectrum(R"({"encoding": {"kind": "rope", "mrope_section": [16, 24, 24]}, "d_model": 128})");
    EXPECT_EQ(text, spectrum(R"({"encoding": "rope", "d_model": 128})"));
    const auto plain = attention(
        scene(R"({"encoding": "rope", "d_model": 12, "length": 8, "pair": 0, "content": "seeded"})"));
    const auto sections = attention(scene(
        R"({"encoding": {"kind": "rope", "mrope_section": [2, 2, 2]}, "d_model": 12, "length": 8, "pair": 0, "content": "seeded"})"));
    const auto grid = attention(scene(
        R"({"encoding": {"kind": "rope", "mrope_section": [2, 2, 2], "grid": [1, 2, 4]}, "d_model": 12, "length": 8, "pair": 0, "content": "seeded"})"));
    EXPECT_EQ(plain->logits, sections->logits);
    EXPECT_NE(plain->logits, grid->logits);
    EXPECT_EQ(
        logits_by_distance(
            scene(
                R"({"encoding": {"kind": "rope", "mrope_section": [2, 2, 2], "grid": [1, 2, 4]}, "d_model": 12, "pair": 0})"),
            0, 0, 1, 1)
            .error()
            .key,
        "encoding.not_by_distance");
}

TEST(Rotary, InterleavedSectionsTakeTurns) {
    const std::vector<std::int64_t> sections{24, 20, 20};
    const auto axes = mrope_axes(sections, 64, true);
    EXPECT_EQ((std::vector<int>{axes.begin(), axes.begin() + 6}), (std::vector<int>{0, 1, 2, 0, 1, 2}));
    EXPECT_EQ((std::vector<int>{axes.begin() + 58, axes.end()}), (std::vector<int>{1, 2, 0, 0, 0, 0}));
    const auto blocks = mrope_axes(std::vector<std::int64_t>{16, 24, 24}, 64, false);
    EXPECT_EQ(std::count(blocks.begin(), blocks.end(), 0), 16);
    EXPECT_EQ(blocks[16], 1);
    EXPECT_EQ(blocks[40], 2);
}

// The list says 1 where a layer uses RoPE, whatever its name says.
TEST(Rotary, NoRopeLayersMarksTheLayersThatTurn) {
    for (const std::int64_t layer : {0, 1, 2, 3, 4, 7})
        EXPECT_EQ(layer_uses_rope({}, 4, layer), layer % 4 != 3);
    const std::vector<std::int64_t> list{0, 1};
    EXPECT_FALSE(layer_uses_rope(list, std::nullopt, 0));
    EXPECT_TRUE(layer_uses_rope(list, std::nullopt, 1));
    const auto still = spectrum(R"({"encoding": {"kind": "rope", "no_rope_layers": [0, 1]}})");
    EXPECT_EQ(still.frequency, std::vector<double>(256, 0.0));
    EXPECT_EQ(nope_query_factor(8190, 8192.0, 0.1), 1.0);
    EXPECT_NEAR(nope_query_factor(8191, 8192.0, 0.1), 1.0693147180559945, 1e-15);
}

TEST(Rotary, MixedLayoutsLoseTheDistance) {
    const Scene s = scene(R"({"encoding": "rope", "d_model": 8, "pair": 0, "content": "seeded"})");
    const auto near = mixed_scores(s, 5, 8), far = mixed_scores(s, 105, 108);
    EXPECT_NEAR(near->interleaved, far->interleaved, 1e-13);
    EXPECT_NEAR(near->half, far->half, 1e-13);
    EXPECT_GT(std::abs(near->mixed - far->mixed), 1e-2);
    EXPECT_EQ(mixed_scores(Scene(), 0, 0).error().key, "encoding.no_layout");
}

TEST(Rotary, PermutedRowsOfWMendALayout) {
    Scene s = scene(R"({"encoding": "rope", "d_model": 48, "num_heads": 2, "content": "seeded", "pair": 0})");
    for (const double partial : {1.0, 0.5}) {
        s.encoding.parameters["partial_rotary_factor"] = partial;
        const auto along = mixed_along(s, 8, 5, 101);
        ASSERT_TRUE(along);
        double least = along->mixed[0], most = along->mixed[0];
        for (std::size_t t = 0; t < 101; ++t) {
            const auto at = static_cast<std::int64_t>(t);
            const auto one = mixed_scores(s, 8 + at, 5 + at);
            EXPECT_EQ(along->mixed[t], one->mixed);
            EXPECT_EQ(along->interleaved[t], one->interleaved);
            EXPECT_EQ(along->half[t], one->half);
            EXPECT_NEAR(along->interleaved[t], along->interleaved[0], 1e-12);
            EXPECT_NEAR(along->permuted[t], along->interleaved[0], 1e-12);
            least = std::min(least, along->mixed[t]), most = std::max(most, along->mixed[t]);
        }
        EXPECT_GT(most - least, 1.0) << "mixed layouts drift";
        EXPECT_GT(std::abs(along->half[0] - along->interleaved[0]), 0.1) << "the same weights, another score";
    }
}

}  // namespace
}  // namespace posiscope::rotary_test
