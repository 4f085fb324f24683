// A number step by step: the exact side is core's own, the other is float arithmetic written out.
#include "core/precision/trace.hpp"

#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace posiscope::trace_test {
namespace {

TEST(Trace, EndsAtCoresOwnNumbers) {
    const Scene s = scene(R"({"encoding": "rope", "d_model": 128, "content": "seeded"})");
    const Spectrum made = *spectrum_of(s);
    const ScoreForm form = score_form(s, made, ScoreKind::logit);
    for (const bool sine : {true, false}) {
        const TraceSteps exact = exact_trace({7, sine, 123456, -9}, made, &form);
        const Turn turn = phase(made.step[7], 123456);
        EXPECT_EQ(exact.value, sine ? sin(turn) : cos(turn));
        EXPECT_EQ(exact.stored, exact.value);
        EXPECT_EQ(exact.share, score_share(form, made, 7, -9));
        EXPECT_EQ(exact.score, score_at(form, made, -9));
        EXPECT_NEAR(exact.turns, exact.angle / (2.0 * std::numbers::pi), 1e-9);
        EXPECT_NEAR(exact.reduced, std::remainder(exact.angle, 2.0 * std::numbers::pi), 1e-9);
    }
}

// The example of the whole program: d_model 512, p 13, pair 10.
TEST(Trace, InFloat32IsTheMachinesArithmetic) {
    const Spectrum made = spectrum("{}");
    const TraceSteps held = rounded_trace({10, true, 13, 0}, made, nullptr, Precision::float32);
    const auto omega = static_cast<float>(made.frequency[10]);
    const float angle = 13.0F * omega;
    EXPECT_EQ(held.frequency, static_cast<double>(omega));
    EXPECT_EQ(held.angle, static_cast<double>(angle));
    EXPECT_EQ(held.value, std::sin(static_cast<double>(angle)));
    EXPECT_EQ(held.stored, static_cast<double>(static_cast<float>(std::sin(static_cast<double>(angle)))));
    EXPECT_EQ(held.share, 0.0) << "no score was asked for";
    EXPECT_NEAR(held.stored, 0.345696, 1e-6);
}

TEST(Trace, LargeAnglesAreReducedWithAllOfPisDigits) {
    const Spectrum made = spectrum("{}");
    const TraceSteps held = rounded_trace({0, true, 1 << 30, 0}, made, nullptr, Precision::float32);
    EXPECT_EQ(held.angle, 0x1p30);
    EXPECT_NEAR(std::sin(held.reduced), std::sin(0x1p30), 1e-15);
}

TEST(Trace, PastAFormatsEndNothingIsLeft) {
    const Spectrum made = spectrum("{}");
    const TraceSteps held = rounded_trace({0, true, 70000, 0}, made, nullptr, Precision::float16);
    EXPECT_TRUE(std::isinf(held.position) && std::isinf(held.angle));
    EXPECT_TRUE(std::isnan(held.reduced) && std::isnan(held.stored));
}

TEST(Trace, ContributionsAddUpToTheScoreInEveryFormat) {
    for (const char* kind : {"rope", "xpos"}) {
        Scene s = scene(R"({"d_model": 64, "content": "seeded", "pair": 0})");
        s.encoding = overlay(s, {{"encoding", kind}})->scene.encoding;
        const Spectrum made = *spectrum_of(s);
        const ScoreForm form = score_form(s, made, ScoreKind::logit);
        for (const Precision precision : precisions()) {
            double sum = form.scale * form.constant;
            for (std::size_t i = 0; i < made.pairs(); ++i)
                sum += rounded_trace({i, true, 40, 6}, made, &form, precision).share;
            EXPECT_NEAR(sum, rounded_trace({0, true, 40, 6}, made, &form, precision).score, 1e-12);
            EXPECT_NEAR(sum, score_at(form, made, 6), 0.5) << kind;
        }
        EXPECT_NEAR(rounded_trace({0, true, 40, 6}, made, &form, Precision::float32).score,
                    score_at(form, made, 6), 1e-4)
            << kind;
    }
}

}  // namespace
}  // namespace posiscope::trace_test
