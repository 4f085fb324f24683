// Scores as a function of only the distance: known values, and agreement of all ways to compute them.
#include "core/scene/content.hpp"
#include "core/scores/score.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>
#include <rapidcheck/gtest.h>

namespace posiscope::score_test {
namespace {

double magnitude(const ScoreForm& form) {
    double sum = std::abs(form.constant);
    for (std::size_t i = 0; i < form.even.size(); ++i) sum += std::abs(form.even[i]) + std::abs(form.odd[i]);
    return form.scale * sum;
}

std::vector<double> curve(const Scene& s, ScoreKind kind, std::int64_t first, std::int64_t stride,
                          std::size_t count) {
    const Spectrum spectrum = *spectrum_of(s);
    std::vector<double> scores(count);
    score_curve(score_form(s, spectrum, kind), spectrum, first, stride, scores);
    return scores;
}

TEST(Score, KnownDotProductsAndDistances) {
    const Scene s;
    const Spectrum spectrum = *spectrum_of(s);
    const ScoreForm dot = score_form(s, spectrum, ScoreKind::dot),
                    norm = score_form(s, spectrum, ScoreKind::norm);
    const double dots[][2] = {{0, 256.0}, {1, 249.1}, {2, 231.7}, {10, 173.8}, {100, 112.0}};
    for (const auto& [delta, expected] : dots)
        EXPECT_NEAR(score_at(dot, spectrum, static_cast<std::int64_t>(delta)), expected, 0.05);
    const double norms[][2] = {{0, 0.0}, {1, 3.7143}, {2, 6.9665}, {10, 12.823}, {100, 16.973}};
    for (const auto& [delta, expected] : norms)
        EXPECT_NEAR(score_at(norm, spectrum, static_cast<std::int64_t>(delta)), expected, 5e-4);
}

// A difference of squares left 4.8e-7 of a vector's distance to itself.
TEST(Score, ANormIsExactWhereItIsSmall) {
    for (const char* partial :
         {"{}", R"({"d_model": 128, "encoding": "rope", "content": "equal"})",
          R"({"d_model": 128, "encoding": {"kind": "rope", "partial_rotary_factor": 0.5}})"}) {
        const Scene s = scene(partial);
        const Spectrum spectrum = *spectrum_of(s);
        const ScoreForm form = score_form(s, spectrum, ScoreKind::norm);
        EXPECT_EQ(score_at(form, spectrum, 0), 0.0) << partial;
        EXPECT_EQ(score_between(form, spectrum, 1000003, 1000003), 0.0) << partial;
        EXPECT_EQ(curve(s, ScoreKind::norm, 0, 1, 2)[0], 0.0) << partial;
    }
    // One pair that hardly turns: the chord is the angle.
    const Scene slow = scene(R"({"d_model": 2, "pair": 0})");
    Spectrum spectrum = spectrum_from({1e-9});
    const ScoreForm form = score_form(slow, spectrum, ScoreKind::norm);
    for (const std::int64_t distance : {1, 1000})
        EXPECT_NEAR(score_at(form, spectrum, distance), 1e-9 * static_cast<double>(distance), 1e-18)
            << "a phase is 2^-64 turns";
}

TEST(Score, IsEvenAndNotMonotone) {
    const std::vector<double> f = curve(Scene(), ScoreKind::dot, 0, 1, 512);
    int up = 0, first_up = 0;
    for (int i = 1; i < 512; ++i)
        if (f[static_cast<std::size_t>(i)] > f[static_cast<std::size_t>(i) - 1]) {
            if (up++ == 0) first_up = i - 1;
        }
    EXPECT_EQ(up, 201);
    EXPECT_EQ(first_up, 43);
    const std::vector<double> narrow = curve(scene(R"({"d_model": 128})"), ScoreKind::dot, 0, 1, 512);
    const auto rise = std::adjacent_find(narrow.begin(), narrow.end(), std::less<>());
    EXPECT_EQ(rise - narrow.begin(), 11);
    const std::vector<double> back = curve(Scene(), ScoreKind::dot, 0, -1, 512);
    for (std::size_t i = 0; i < 512; ++i) EXPECT_NEAR(back[i], f[i], 1e-11);
}

// The vectors themselves, the way a model holds them.
double naive_rotary(const Scene& s, const Spectrum& spectrum, std::int64_t query, std::int64_t key) {
    const auto turned = [&](Tensor tensor, std::int64_t position) {
        std::vector<double> x(static_cast<std::size_t>(head_dim(s)));
        for (std::size_t c = 0; c < x.size(); ++c)
            x[c] = content_value(s.content, tensor, 0, static_cast<std::int64_t>(c));
        const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
        for (std::int64_t i = 0; i < pairs; ++i) {
            const Turn turn = phase(spectrum.step[static_cast<std::size_t>(i)], position);
            const PairLayout layout = encoding_of(s).layout(s);
            double& a = x[static_cast<std::size_t>(dimension(layout, pairs, {i, 0}))];
            double& b = x[static_cast<std::size_t>(dimension(layout, pairs, {i, 1}))];
            const double f = spectrum.attention_factor, c = f * cos(turn), n = f * sin(turn), before = a;
            a = before * c - b * n;
            b = before * n + b * c;
        }
        return x;
    };
    const auto q = turned(Tensor::query, query), k = turned(Tensor::key, key);
    return std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
}

TEST(Score, EveryWayToComputeOneAgrees) {
    for (
        const char* partial :
        {R"({})", R"({"d_model": 64, "encoding": {"kind": "sinusoidal", "variant": "fairseq"}})",
         R"({"d_model": 128, "encoding": "rope", "content": {"kind": "seeded", "seed": 7}})",
         R"({"d_model": 128, "encoding": "rope", "layout": "half", "content": {"kind": "seeded", "seed": 8}})",
         R"({"d_model": 128, "encoding": {"kind": "rope", "partial_rotary_factor": 0.5}, "content": {"kind": "seeded"}})"}) {
        const Scene s = scene(partial);
        const Spectrum spectrum = *spectrum_of(s);
        for (const ScoreKind kind : score_kinds(s)) {
            const ScoreForm form = score_form(s, spectrum, kind);
            const double bound = 4e-16 * magnitude(form) + (kind == ScoreKind::norm ? 1e-6 : 0.0);
            for (const std::int64_t query : {0LL, 5LL, 1000003LL, 2147483647LL})
                for (const std::int64_t key : {0LL, 8LL, 1000000LL, 2147483640LL}) {
                    const double at = score_at(form, spectrum, query - key);
                    EXPECT_NEAR(at, score_between(form, spectrum, query, key), bound) << partial;
                    if (kind == ScoreKind::dot && encoding_of(s).acts == Acts::query_key) {
                        EXPECT_NEAR(at, naive_rotary(s, spectrum, query, key), 2 * bound) << partial;
                    }
                }
        }
    }
}

TEST(Score, LogitIsTheDotProductOverTheRootOfHeadDim) {
    const Scene s =
        scene(R"({"d_model": 256, "num_heads": 4, "encoding": "rope", "content": {"kind": "seeded"}})");
    const Spectrum spectrum = *spectrum_of(s);
    const double dot = score_at(score_form(s, spectrum, ScoreKind::dot), spectrum, 17);
    EXPECT_NEAR(score_at(score_form(s, spectrum, ScoreKind::logit), spectrum, 17), dot / 8.0, 1e-15);
    EXPECT_EQ(score_kinds(Scene()).size(), 2U);
}

TEST(Score, CurveIsWithinItsBound) {
    const Scene s =
        scene(R"({"d_model": 512, "encoding": "rope", "content": {"kind": "seeded", "seed": 3}})");
    const Spectrum spectrum = *spectrum_of(s);
    for (const ScoreKind kind : {ScoreKind::dot, ScoreKind::logit}) {
        const ScoreForm form = score_form(s, spectrum, kind);
        for (const std::int64_t first : {-500LL, 0LL, 2147000000LL})
            for (const std::int64_t stride : {1LL, 7LL, 100003LL}) {
                std::vector<double> scores(517);
                if (first + stride * 517 > kLastPosition) continue;
                score_curve(form, spectrum, first, stride, scores);
                for (std::size_t n = 0; n < scores.size(); ++n)
                    ASSERT_NEAR(scores[n],
                                score_at(form, spectrum, first + static_cast<std::int64_t>(n) * stride),
                                1e-13 * magnitude(form));
            }
    }
}

TEST(Score, LayoutsAgreeAfterPermutingTheContent) {
    // Half(x[perm]) = Interleaved(x)[perm], perm = evens then odds, of q and k alike.
    const auto content = [](const std::vector<double>& x, PairLayout layout, std::int64_t i, int component) {
        return x[static_cast<std::size_t>(
            dimension(layout, static_cast<std::int64_t>(x.size()) / 2, {i, component}))];
    };
    std::vector<double> x(64), permuted(64);
    const Choice seeded{"seeded", {{"seed", 5}}};
    for (std::size_t c = 0; c < 64; ++c)
        x[c] = content_value(seeded, Tensor::query, 0, static_cast<std::int64_t>(c));
    for (std::size_t i = 0; i < 32; ++i) {
        permuted[i] = x[2 * i];
        permuted[32 + i] = x[2 * i + 1];
    }
    for (std::int64_t i = 0; i < 32; ++i)
        for (const int component : {0, 1})
            EXPECT_EQ(content(x, PairLayout::interleaved, i, component),
                      content(permuted, PairLayout::halves, i, component));
    // Equal content is its own permutation: both layouts score alike.
    const Scene a = scene(R"({"d_model": 64, "encoding": "rope"})"),
                b = scene(R"({"d_model": 64, "encoding": "rope", "layout": "half"})");
    EXPECT_EQ(curve(a, ScoreKind::dot, -10, 1, 100), curve(b, ScoreKind::dot, -10, 1, 100));
    const Scene c = scene(R"({"d_model": 64, "encoding": "rope", "content": {"kind": "seeded"}})");
    const Scene d =
        scene(R"({"d_model": 64, "encoding": "rope", "layout": "half", "content": {"kind": "seeded"}})");
    EXPECT_NE(curve(c, ScoreKind::dot, 1, 1, 10), curve(d, ScoreKind::dot, 1, 1, 10))
        << "different functions on the same x";
}

RC_GTEST_PROP(Score, MovingBothPositionsChangesNothing, ()) {
    const Scene s =
        scene(R"({"d_model": 128, "encoding": "rope", "content": {"kind": "seeded", "seed": 11}})");
    const Spectrum spectrum = *spectrum_of(s);
    const ScoreForm form = score_form(s, spectrum, ScoreKind::dot);
    const auto shift = *rc::gen::inRange<std::int64_t>(0, kLastPosition - 1000);
    RC_ASSERT(std::abs(score_between(form, spectrum, 5 + shift, 8 + shift) -
                       score_between(form, spectrum, 5, 8)) <= 4e-16 * magnitude(form));
}

TEST(Content, IsTheSameOnEveryPlatformAndHasUnitVariance) {
    const Choice seeded{"seeded", {{"seed", 0}}};
    double sum = 0.0, squares = 0.0;
    for (std::int64_t c = 0; c < 100000; ++c) {
        const double x = content_value(seeded, Tensor::query, 0, c);
        ASSERT_GE(x, -std::numbers::sqrt3);
        ASSERT_LT(x, std::numbers::sqrt3);
        sum += x;
        squares += x * x;
    }
    EXPECT_NEAR(sum / 1e5, 0.0, 0.01);
    EXPECT_NEAR(squares / 1e5, 1.0, 0.01);
    EXPECT_NE(content_value(seeded, Tensor::query, 0, 1), content_value(seeded, Tensor::key, 0, 1));
    EXPECT_NE(content_value(seeded, Tensor::query, 0, 1), content_value(seeded, Tensor::query, 1, 0));
    EXPECT_EQ(content_value({"equal", Json::object()}, Tensor::key, 3, 4), 1.0);
}

}  // namespace
}  // namespace posiscope::score_test
