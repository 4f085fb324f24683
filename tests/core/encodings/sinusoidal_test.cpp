// PE(p, 2i) = sin(p ω_i), PE(p, 2i+1) = cos(p ω_i) and its variants, at pinned values.
#include "tests/core/real.hpp"
#include "tests/core/sampling.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope::sinusoidal_test {
namespace {

double value(const Scene& s, std::int64_t position, std::int64_t column) {
    return table_value(*spectrum_of(s), encoding_of(s).layout(s), position, column);
}

Scene variant(const char* name, int d) {
    return scene(
        fmt::format(R"({{"d_model": {}, "encoding": {{"kind": "sinusoidal", "variant": "{}"}}}})", d, name));
}

TEST(Sinusoidal, TheWorkedExample) {
    const Scene s;
    EXPECT_NEAR(value(s, 13, 20), 0.345696, 5e-7);
    EXPECT_NEAR(value(s, 13, 21), -0.938347, 5e-7);
    EXPECT_EQ(value(s, 0, 20), 0.0);
    EXPECT_EQ(value(s, 0, 21), 1.0);
}

TEST(Sinusoidal, EveryPairLiesOnTheUnitCircle) {
    const Scene s;
    for (const std::int64_t p : kPositions) {
        double sum = 0.0;
        for (std::int64_t i = 0; i < 256; ++i) {
            const double a = value(s, p, 2 * i), b = value(s, p, 2 * i + 1);
            EXPECT_NEAR(a * a + b * b, 1.0, 5e-16);
            sum += a * a + b * b;
        }
        EXPECT_NEAR(std::sqrt(sum), 16.0, 1e-14);
    }
}

TEST(Sinusoidal, HalvesIsAPermutationOfPaper) {
    const Scene paper = variant("paper", 64), halves = variant("halves", 64);
    for (std::int64_t i = 0; i < 32; ++i) {
        EXPECT_EQ(value(paper, 1234, 2 * i), value(halves, 1234, i));
        EXPECT_EQ(value(paper, 1234, 2 * i + 1), value(halves, 1234, 32 + i));
    }
}

TEST(Sinusoidal, TwoPiHasTwoDeadDimensions) {
    const Scene s = variant("two_pi", 64);
    for (const std::int64_t p : kPositions) {
        EXPECT_EQ(value(s, p, 0), 0.0);
        EXPECT_EQ(value(s, p, 1), 1.0);
    }
    const Scene wide =
        variant("two_pi", 512);  // pairs 0, 64, 128, 192 have the exact periods 1, 10, 100, 1000
    for (const std::int64_t i : {0, 64, 128, 192})
        for (const int component : {0, 1})
            EXPECT_NEAR(value(wide, 7, 2 * i + component), value(wide, 2000000007, 2 * i + component), 5e-16);
}

TEST(Sinusoidal, TheTwoConventionsGiveDifferentProducts) {
    const auto product = [](const Scene& s) {
        double sum = 0.0;
        for (std::int64_t c = 0; c < 64; ++c) sum += value(s, 0, c) * value(s, 1, c);
        return sum;
    };
    EXPECT_NEAR(product(variant("paper", 64)), 30.917, 5e-4);
    EXPECT_NEAR(product(variant("two_pi", 64)), 23.536, 5e-4);
}

RC_GTEST_PROP(PairLayout, ColumnsAndComponentsAreEachOthersInverse, (bool halves)) {
    const auto layout = halves ? PairLayout::halves : PairLayout::interleaved;
    const auto pairs = *rc::gen::inRange<std::int64_t>(1, 32769);
    const auto column = *rc::gen::inRange<std::int64_t>(0, 2 * pairs);
    const PairComponent at = pair_component(layout, pairs, column);
    RC_ASSERT(at.pair >= 0 && at.pair < pairs && (at.component == 0 || at.component == 1));
    RC_ASSERT(dimension(layout, pairs, at) == column);
}

#ifdef POSISCOPE_MPFR

TEST(Sinusoidal, ValuesAreRightTo2e16) {
    double worst = 0.0;
    for (const char* name : {"paper", "halves", "tensor2tensor", "fairseq", "two_pi", "double_exponent"})
        for (const int d : {4, 64, 512, 8192}) {
            const Scene s = variant(name, d);
            const Spectrum spectrum = *spectrum_of(s);
            const std::string_view v = name;
            const bool short_row = v == "tensor2tensor" || v == "fairseq";
            for (const std::int64_t i : sampled_pairs(d / 2))
                for (const std::int64_t p : kPositions) {
                    const double multiple = v == "double_exponent" ? 2.0 : 1.0;
                    const Real exponent =
                        Real(-multiple) * Real::integer(i) / Real::integer(short_row ? d / 2 - 1 : d / 2);
                    const Real omega =
                        pow(Real(1e4), exponent) * (v == "two_pi" ? Real(2.0) * Real::pi() : Real(1.0));
                    const Real angle = omega * Real::integer(p);
                    const PairLayout layout = encoding_of(s).layout(s);
                    const auto error = [&](int component, const Real& exact) {
                        return std::abs((Real(table_value(spectrum, layout, p,
                                                          dimension(layout, d / 2, {i, component}))) -
                                         exact)
                                            .to_double());
                    };
                    worst = std::max({worst, error(0, sin(angle)), error(1, cos(angle))});
                }
        }
    EXPECT_LE(worst, 2e-16);
}

#endif

}  // namespace
}  // namespace posiscope::sinusoidal_test
