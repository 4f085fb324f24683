// The value of a pixel that covers many rows: the exact mean of e^{iωp} over successive positions.
#include "core/phase/frequencies.hpp"
#include "tests/core/real.hpp"
#include "tests/core/sampling.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::mean_test {
namespace {

struct Mean {
    double cosine;
    double sine;
};

Mean closed(Step step, std::int64_t first, std::int64_t count) {
    const double factor = mean_factor(step, count);
    const Turn middle = middle_phase(step, first, count);
    return {factor * cos(middle), factor * sin(middle)};
}

Mean brute(Step step, std::int64_t first, std::int64_t count) {
    long double cosine = 0, sine = 0;
    for (std::int64_t p = first; p < first + count; ++p) {
        const Turn turn = phase(step, p);
        cosine += static_cast<long double>(cos(turn));
        sine += static_cast<long double>(sin(turn));
    }
    const auto n = static_cast<long double>(count);
    return {static_cast<double>(cosine / n), static_cast<double>(sine / n)};
}

TEST(MeanFactor, AgreesWithTheSumItself) {
    const std::vector<Step> steps = {step_from_radians(1.0),          step_from_radians(1.0367e-4),
                                     step_from_radians(1e-8),         step_from_radians(3.14159),
                                     step_from_radians(6.2831853),    Step{},
                                     Step{std::uint64_t{1} << 63, 0}, Step{0, 1},
                                     Step{~std::uint64_t{0}, 0}};
    for (const Step step : steps)
        for (const std::int64_t first : {std::int64_t{0}, std::int64_t{17}, std::int64_t{2146000000}})
            for (const std::int64_t count : {1, 2, 3, 7, 64, 1000, 20011}) {
                const Mean a = closed(step, first, count), b = brute(step, first, count);
                EXPECT_NEAR(a.cosine, b.cosine, 1e-15) << step.high << " " << first << " " << count;
                EXPECT_NEAR(a.sine, b.sine, 1e-15) << step.high << " " << first << " " << count;
            }
    const Mean a = closed(steps[1], 123456, 1000000), b = brute(steps[1], 123456, 1000000);
    EXPECT_NEAR(a.cosine, b.cosine, 1e-15);
    EXPECT_NEAR(a.sine, b.sine, 1e-15);
}

RC_GTEST_PROP(MeanFactor, OneStepAndOnePositionAreThemselves,
              (std::uint64_t high, std::uint32_t low, std::int32_t p)) {
    const Step step{high, low};
    const std::int64_t position = p < 0 ? -std::int64_t{p} : p;
    RC_ASSERT(mean_factor(step, 1) == 1.0);
    const Mean mean = closed(step, position, 1);
    RC_ASSERT(std::abs(mean.cosine - cos(phase(step, position))) <= 1e-15);
    RC_ASSERT(std::abs(mean.sine - sin(phase(step, position))) <= 1e-15);
}

#ifdef POSISCOPE_MPFR

// Σ_{p=a}^{a+N−1} e^{iωp} / N = sin(Nω/2) / (N sin(ω/2)) · e^{iω(2a+N−1)/2}
TEST(MeanFactor, IsRightToTheLastPosition) {
    for (const double base : {1e4, 1e8, 1e18, 10000.5}) {
        const Spectrum spectrum = geometric_spectrum(base, 64, 64);
        for (const std::int64_t pair : {0, 1, 13, 40, 63}) {
            const Real half = pow(Real(base), Real::integer(-pair) / Real(64.0)) / Real(2.0);
            const Step step = spectrum.step[static_cast<std::size_t>(pair)];
            for (const std::int64_t count : {2LL, 100LL, 1000000LL, 123456789LL, 2147483647LL}) {
                const std::int64_t first = 2147483647LL - count;
                const Real n = Real::integer(count);
                const Real factor = sin(n * half) / (n * sin(half));
                const Real middle = half * Real::integer(2 * first + count - 1);
                const Mean mean = closed(step, first, count);
                EXPECT_NEAR(mean.cosine, (factor * cos(middle)).to_double(), 4e-16)
                    << base << " " << pair << " " << count;
                EXPECT_NEAR(mean.sine, (factor * sin(middle)).to_double(), 4e-16)
                    << base << " " << pair << " " << count;
            }
        }
    }
}

#endif

}  // namespace
}  // namespace posiscope::mean_test
