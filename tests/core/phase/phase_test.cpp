// Phase to 2^-66 turns at every position, for every frequency that a scene can have.
#include "core/encodings/encodings.hpp"
#include "tests/core/real.hpp"
#include "tests/core/sampling.hpp"

#include <gtest/gtest.h>
#include <numbers>
#include <rapidcheck/gtest.h>

namespace posiscope::phase_test {
namespace {

RC_GTEST_PROP(Phase, StepsAddUp, (std::uint64_t high, std::uint32_t low, std::int32_t a, std::int32_t b)) {
    const Step step{high, low};
    const std::int64_t sum = std::int64_t{a} + b;
    const auto bits = [](Step s) { return (Uint128{s.high} << 32) | s.low; };
    const Uint128 mask = (Uint128{1} << 96) - 1;
    RC_ASSERT(((bits(step * a) + bits(step * b)) & mask) == bits(step * sum));
    RC_ASSERT(phase(step, a) == rounded(step * a));
}

TEST(Phase, QuarterTurnsAreExact) {
    const std::uint64_t quarter = std::uint64_t{1} << 62;
    const double sines[] = {0, 1, 0, -1};
    for (std::uint64_t q = 0; q < 4; ++q) {
        EXPECT_EQ(sin(Turn{q * quarter}), sines[q]);
        EXPECT_EQ(cos(Turn{q * quarter}), sines[(q + 1) % 4]);
    }
}

TEST(Phase, TurnsAndRadiansStayInRange) {
    for (const std::uint64_t fraction :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
        const Turn turn{fraction};
        EXPECT_GE(turn.turns(), 0.0);
        EXPECT_LT(turn.turns(), 1.0);
        EXPECT_GE(turn.radians(), -std::numbers::pi);
        EXPECT_LE(turn.radians(), std::numbers::pi);
    }
}

TEST(Phase, AWholeTurnDropsOut) {
    EXPECT_EQ(step_from_turns(Wide(5, 0, 0, 0)), Step{});
    const std::uint64_t all = ~std::uint64_t{0};
    EXPECT_EQ(step_from_turns(Wide(0, all, all, 0)), Step{}) << "rounding up the last bit is a whole turn";
}

#ifdef POSISCOPE_MPFR

Real exact_turns(const Stepped& c, std::int64_t pair) {
    const Real exponent = Real(-1.0) * Real::integer(pair * c.multiple) / Real::integer(c.n);
    const Real omega = pow(Real(c.base), exponent);
    return c.cycles ? omega : omega / (Real(2.0) * Real::pi());
}

TEST(Phase, IsRightForEveryFrequencyAndPosition) {
    double worst_fine = 0.0, worst = 0.0;
    for (const Stepped& c : cases()) {
        const Spectrum spectrum = geometric_spectrum(c.base, static_cast<std::size_t>(c.pairs),
                                                     static_cast<std::uint64_t>(c.n), c.multiple, c.cycles);
        for (const std::int64_t pair : sampled_pairs(c.pairs)) {
            const Real turns = exact_turns(c, pair);
            const Step step = spectrum.step[static_cast<std::size_t>(pair)];
            for (const std::int64_t position : kPositions) {
                const Real exact = turns * Real::integer(position);
                const Step fine = step * position;
                const Turn turn = phase(step, position);
                const auto off = [&](const Real& measured) {
                    return std::abs((measured - exact).modulo_one());
                };
                worst_fine =
                    std::max(worst_fine, off(Real::fixed((Uint128{fine.high} << 32) | fine.low, 96)));
                worst = std::max(worst, off(Real::fixed(turn.fraction, 64)));
            }
        }
    }
    EXPECT_LE(worst_fine, 1.5e-20);  // 2^-66 turns
    EXPECT_LE(worst, 0x1p-64);
}

TEST(Phase, OfAScaledSpectrumTakesItsDoublesAsExact) {
    const std::vector<double> frequency = {1.0, 0.37, 1.2345e-9, 3e-18, 0.0, 6.5, 123456.789};
    const Spectrum spectrum = spectrum_from(frequency);
    for (std::size_t i = 0; i < frequency.size(); ++i)
        for (const std::int64_t position : kPositions) {
            const Real exact = Real(frequency[i]) * Real::integer(position) / (Real(2.0) * Real::pi());
            const Step fine = spectrum.step[i] * position;
            const double error =
                (Real::fixed((Uint128{fine.high} << 32) | fine.low, 96) - exact).modulo_one();
            EXPECT_LE(std::abs(error), 1.5e-20) << frequency[i] << " " << position;
        }
}

TEST(Phase, SineAndCosineOfATurn) {
    double worst = 0.0;
    const auto check = [&](std::uint64_t fraction) {
        const Turn turn{fraction};
        const Real angle = Real(2.0) * Real::pi() * Real::fixed(fraction, 64);
        if (fraction % (std::uint64_t{1} << 62) == 0) return;  // exact: tested above
        worst = std::max({worst, ulps(sin(turn), sin(angle)), ulps(cos(turn), cos(angle))});
    };
    std::uint64_t state = 1;
    for (int n = 0; n < 20000; ++n) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        check(state);
        check(state >> (n % 60));  // small angles too, where the ratio of sines depends on every bit
        check((std::uint64_t{1} << 63) - (state >> (n % 60)));
    }
    EXPECT_LE(worst, 1.2) << "on every system: no C library's sine is asked";
}

#endif

}  // namespace
}  // namespace posiscope::phase_test
