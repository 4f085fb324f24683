// Number formats by their own rules, and what they make of angles.
#include "core/precision/precision.hpp"

#include "core/phase/phase.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::precision_test {
namespace {

RC_GTEST_PROP(Precision, Float32IsTheMachinesOwn, (double x)) {
    RC_ASSERT(rounded_to(Precision::float32, x) == static_cast<double>(static_cast<float>(x)));
}

TEST(Precision, FormatsRoundToNearestEven) {
    EXPECT_EQ(rounded_to(Precision::bfloat16, 257.0), 256.0);
    EXPECT_EQ(rounded_to(Precision::bfloat16, 259.0), 260.0);
    EXPECT_EQ(rounded_to(Precision::float16, 2049.0), 2048.0);
    EXPECT_EQ(rounded_to(Precision::float16, 2051.0), 2052.0);
    EXPECT_EQ(rounded_to(Precision::tf32, 2049.0), 2048.0);
    EXPECT_EQ(rounded_to(Precision::float16, 65504.0), 65504.0);
    EXPECT_TRUE(std::isinf(rounded_to(Precision::float16, 65520.0)));
    EXPECT_EQ(rounded_to(Precision::float16, 0x1p-24), 0x1p-24) << "its least subnormal number";
    EXPECT_EQ(rounded_to(Precision::float16, 0x1p-26), 0.0);
    EXPECT_EQ(rounded_to(Precision::tf32, 1e10), rounded_to(Precision::tf32, 1e10 + 1.0));
    for (const Precision precision : precisions()) {
        EXPECT_EQ(rounded_to(precision, 0.0), 0.0);
        EXPECT_EQ(rounded_to(precision, -1.5), -1.5);
    }
}

// d = 512, as tables in float32 have it.
TEST(Precision, AFloat32TableIsOffFarOut) {
    const Spectrum made = spectrum("{}");
    EXPECT_NEAR(table_error(made, 1000, Precision::float32), 4.1e-5, 1e-6);
    EXPECT_NEAR(table_error(made, 100000, Precision::float32), 5.3e-3, 5e-5);
    EXPECT_NEAR(table_error(made, 1000000, Precision::float32), 0.052, 5e-4);
    EXPECT_NEAR(table_error(made, 10000000, Precision::float32), 0.64, 5e-3);
    EXPECT_TRUE(std::isinf(table_error(made, 100000, Precision::float16)));
}

RC_GTEST_PROP(Precision, StagesAddUpToTheAngle, ()) {
    const auto precision =
        precisions()[*rc::gen::inRange<std::size_t>(0, 3)];  // without float16: no infinity
    const Spectrum made = spectrum(R"({"d_model": 64})");
    const auto i = *rc::gen::inRange<std::size_t>(0, 32);
    const auto p = *rc::gen::inRange<std::int64_t>(0, kLastPosition);
    const double omega = made.frequency[i];
    const PhaseError error = phase_error(omega, p, precision);
    const double exact = static_cast<double>(p) * omega;
    const double held =
        rounded_to(precision == Precision::tf32 ? Precision::float32 : precision,
                   rounded_to(precision, static_cast<double>(p)) * rounded_to(precision, omega));
    RC_ASSERT(std::abs(error.total() - (held - exact)) <= 4e-16 * (exact + held));
    if (static_cast<double>(p) < first_position_beyond(omega, precision, 0.01))
        RC_ASSERT(std::abs(error.total()) <= 0.0101);
    // Reduced to one turn it is what exact phases say.
    const double turned = rounded(difference(step_from_radians(held), made.step[i] * p)).radians();
    RC_ASSERT(std::abs(std::remainder(error.total() - turned, 6.283185307179586)) < 2e-6);
}

TEST(Precision, PositionsAreHeldUntilTheirDigitsEnd) {
    EXPECT_EQ(phase_error(1.0, 256, Precision::bfloat16).position, 0.0);
    EXPECT_EQ(phase_error(1.0, 257, Precision::bfloat16).position, -1.0);
    EXPECT_EQ(phase_error(1.0, 16777217, Precision::float32).position, -1.0);
    // Pair 0 is exact as long as its positions are: no rounding of ω, none of the product.
    EXPECT_EQ(first_position_beyond(1.0, Precision::float32, 0.01), 0x1p24);
    EXPECT_EQ(first_position_beyond(1.0, Precision::bfloat16, 0.01), 256.0);
    EXPECT_EQ(first_position_beyond(0.25, Precision::bfloat16, 0.01), 256.0);
    EXPECT_NEAR(first_position_beyond(0.75, Precision::float32, 0.01), 0.01 / 0.75 * 0x1p24, 0.01)
        << "its product";
    EXPECT_NEAR(first_position_beyond(0.1, Precision::float32, 0.01), 0.01 / 0.2 * 0x1p24, 0.01) << "both";
}

TEST(Precision, ScoresDriftWithTheTable) {
    const Scene s = scene(R"({"encoding": "rope", "d_model": 128, "content": "seeded"})");
    const Spectrum made = *spectrum_of(s);
    const ScoreForm form = score_form(s, made, ScoreKind::dot);
    const double exact = score_at(form, made, -3);
    double last = 0.0;
    for (const std::int64_t t : {0, 100000, 1000000, 10000000}) {
        const double drift = std::abs(score_in(form, made, 5 + t, 8 + t, Precision::float32) - exact);
        EXPECT_GT(drift, last) << t;
        last = drift;
    }
    EXPECT_LT(std::abs(score_in(form, made, 5, 8, Precision::float32) - exact), 1e-5);
    EXPECT_GT(last, 0.05);
}

TEST(Precision, GapsBetweenPositionsAreThoseOfTheFormat) {
    for (const Precision precision : precisions())
        for (const std::int64_t p : {1, 255, 256, 1000, 2047, 2048, 40000, 65536, 100000}) {
            const std::int64_t first = std::int64_t{1} << std::ilogb(static_cast<double>(p));
            double most = 0.0;
            for (std::int64_t q = first; q < 2 * first; ++q)
                most = std::max(
                    most, std::abs(rounded_to(precision, static_cast<double>(q)) - static_cast<double>(q)));
            if (std::isfinite(most)) {
                EXPECT_EQ(position_error(p, precision), most) << p;
            }
        }
    EXPECT_TRUE(std::isinf(position_error(70000, Precision::float16)));
    EXPECT_EQ(position_error(0, Precision::bfloat16), 0.0);
}

// ω_0 = 1 is a float, so pair 0 is exact up to 2^24: another pair is the first.
TEST(Precision, TheFirstPairThatIsOff) {
    const Spectrum made = spectrum("{}");
    const auto off = first_pair_off(made, Precision::float32, 0.01);
    ASSERT_TRUE(off);
    EXPECT_GT(off->pair, 0U);
    const auto error = [&](std::size_t i, std::int64_t p) {
        return std::abs(phase_error(made.frequency[i], p, Precision::float32).total());
    };
    EXPECT_GT(error(off->pair, off->position), 0.01);
    for (std::size_t i = 0; i < made.pairs(); ++i)
        EXPECT_LE(error(i, off->position), error(off->pair, off->position));
    EXPECT_GE(static_cast<double>(off->position),
              first_position_beyond(made.frequency[1], Precision::float32, 0.01) * 0.9);
    EXPECT_EQ(first_pair_off(made, Precision::float16, 1e9)->position, 65520) << "its end";
    EXPECT_FALSE(first_pair_off(made, Precision::float32, 1e12));
}

TEST(Precision, AFrequencyThatAFormatDoesNotReachIsOffAtOnce) {
    for (const double beyond : {1e39, 1e300, -1e300})
        for (const Precision precision : precisions()) {
            Spectrum made = spectrum("{}");
            made.frequency[1] = beyond;
            const auto off = first_pair_off(made, precision, 0.01);
            ASSERT_TRUE(off);
            EXPECT_EQ(off->position, 1);
            EXPECT_EQ(off->pair, 1U);
        }
}

// NumPy, every position and pair: a = round(round(p) · round(w)), |a − p·w| > 0.01 in 80-bit floats.
TEST(Precision, TheFirstPositionOfAnAngleThatIsOff) {
    struct Row {
        int width;
        std::array<std::int64_t, 4> first;  // float32, tf32, bfloat16, float16
    };
    for (const Row& row :
         {Row{8, {2621442, 410, 42, 192}}, Row{64, {289983, 64, 11, 53}}, Row{512, {135878, 42, 3, 18}}}) {
        const Spectrum made = spectrum(fmt::format(R"({{"d_model": {}, "pair": 0}})", row.width));
        for (std::size_t i = 0; i < precisions().size(); ++i)
            EXPECT_EQ(first_pair_off(made, precisions()[i], 0.01)->position, row.first[i])
                << row.width << ' ' << precision_name(precisions()[i]);
    }
}

// Every position up to the one found, at frequencies of any size: slow ones are off where positions are rounded too.
RC_GTEST_PROP(Precision, NothingBeforeTheFirstPositionIsOff, ()) {
    Spectrum made;
    for (int pairs = *rc::gen::inRange(1, 4); pairs > 0; --pairs)
        made.frequency.push_back(
            std::ldexp(1.0 + *rc::gen::inRange(0, 1 << 20) * 0x1p-20, -*rc::gen::inRange(0, 16)));
    made.step.resize(made.frequency.size());
    const Precision precision = *rc::gen::elementOf(
        std::vector{Precision::float32, Precision::tf32, Precision::bfloat16, Precision::float16});
    const double bound = std::ldexp(1.0, -*rc::gen::inRange(2, 10));
    const auto off = first_pair_off(made, precision, bound);
    const auto any = [&](std::int64_t p) {
        return std::ranges::any_of(made.frequency, [&](double omega) {
            return !(std::abs(phase_error(omega, p, precision).total()) <= bound);
        });
    };
    if (off) RC_ASSERT(any(off->position));
    const std::int64_t end = off ? off->position : kLastPosition, most = std::min<std::int64_t>(end, 20000);
    for (std::int64_t p = 1; p < most; ++p) RC_ASSERT(!any(p));
    for (std::int64_t p = std::max(most, end - 20000); p < end; ++p) RC_ASSERT(!any(p));
}

TEST(Precision, TheFirstPositionOfAScoreThatIsOff) {
    const Scene s = scene(R"({"encoding": "rope", "d_model": 128, "content": "seeded"})");
    const Spectrum made = *spectrum_of(s);
    const ScoreForm form = score_form(s, made, ScoreKind::logit);
    const double exact = score_at(form, made, 3);
    std::int64_t last = 0;
    for (const Precision precision : {Precision::bfloat16, Precision::float16, Precision::float32}) {
        const auto off = first_score_off(form, made, 3, precision, 0.01).first;
        ASSERT_TRUE(off);
        const auto within = [&](std::int64_t p) {
            return std::abs(score_in(form, made, p + 3, p, precision) - exact) <= 0.01;
        };
        EXPECT_FALSE(within(*off));
        for (std::int64_t p = 0; p < std::min<std::int64_t>(*off, 2000); ++p) ASSERT_TRUE(within(p)) << p;
        EXPECT_GE(*off, last);
        last = *off;
    }
    EXPECT_GT(last, 10000);
    const ScoreOff never = first_score_off(form, made, 0, Precision::float32, 1e9);
    EXPECT_FALSE(never.first);
    EXPECT_EQ(never.searched, kLastPosition);
}

// NumPy, every position: rows of cos and sin in the format, summed in float64, q = k = 1, distance 3.
TEST(Precision, TheFirstScoreThatIsOffIsNoSample) {
    struct Row {
        int width;
        Precision precision;
        std::int64_t first;
    };
    for (const Row& row :
         {Row{8, Precision::tf32, 2046}, Row{8, Precision::bfloat16, 53}, Row{8, Precision::float16, 643},
          Row{64, Precision::float32, 373497}, Row{64, Precision::bfloat16, 23},
          Row{64, Precision::float16, 156}, Row{128, Precision::float32, 326398}}) {
        const Scene s = scene(fmt::format(R"({{"encoding": "rope", "d_model": {}, "pair": 0}})", row.width));
        const Spectrum made = *spectrum_of(s);
        const auto off = first_score_off(score_form(s, made, ScoreKind::logit), made, 3, row.precision, 0.01);
        EXPECT_EQ(off.first, row.first) << row.width << ' ' << precision_name(row.precision);
        EXPECT_EQ(off.searched, row.first);
    }
}

}  // namespace
}  // namespace posiscope::precision_test
