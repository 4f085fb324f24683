// The spectrum: one ulp from the real number b^(−2i/d), and the linking of pairs across spectra.
#include "core/encodings/encodings.hpp"
#include "core/scaling/scaling.hpp"
#include "tests/core/real.hpp"
#include "tests/core/sampling.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>
#include <numbers>

namespace posiscope::frequencies_test {
namespace {

TEST(Frequencies, KnownValues) {
    const Spectrum spectrum = geometric_spectrum(10000.0, 256, 256);
    EXPECT_EQ(spectrum.frequency[0], 1.0);
    EXPECT_NEAR(spectrum.frequency[255], 1.0367e-4, 1e-8);
    EXPECT_NEAR(2.0 * std::numbers::pi / spectrum.frequency[255], 60611.0, 1.0);
    EXPECT_NEAR(spectrum.frequency[1] / spectrum.frequency[0], 0.9647, 1e-4);
    // 8m/d whole: exact powers of ten.
    EXPECT_EQ(spectrum.frequency[64], 0.1);
    EXPECT_EQ(spectrum.frequency[128], 0.01);
    EXPECT_EQ(spectrum.frequency[192], 0.001);
}

TEST(Frequencies, VariantsDifferAsTheirSourcesSay) {
    EXPECT_EQ(spectrum(R"({"d_model": 64, "encoding": {"kind": "sinusoidal", "variant": "fairseq"}})")
                  .frequency.back(),
              1e-4);
    EXPECT_EQ(spectrum(R"({"d_model": 64, "encoding": {"kind": "sinusoidal", "variant": "tensor2tensor"}})")
                  .frequency.back(),
              1e-4);
    EXPECT_NEAR(spectrum(R"({"d_model": 64})").frequency.back(), 1.3335e-4, 1e-8);
    // 6.1.4: whole turns, so that pair 0 never moves and d = 512 has exact periods of 1, 10, 100, 1000.
    const Spectrum turns = spectrum(R"({"encoding": {"kind": "sinusoidal", "variant": "two_pi"}})");
    EXPECT_EQ(turns.step[0], Step{});
    EXPECT_NEAR(turns.frequency[64], 0.2 * std::numbers::pi, 1e-16);
    // The doubled exponent is base 1e8: C7.
    const Spectrum doubled =
        spectrum(R"({"d_model": 64, "encoding": {"kind": "sinusoidal", "variant": "double_exponent"}})");
    EXPECT_NEAR(doubled.frequency.back(), 1.78e-8, 1e-10);
    EXPECT_EQ(doubled.step, geometric_spectrum(1e8, 32, 32).step);
    EXPECT_EQ(spectrum(R"({"d_model": 2, "encoding": {"kind": "sinusoidal", "variant": "tensor2tensor"}})")
                  .frequency,
              std::vector<double>{1.0});
}

TEST(Frequencies, LinearScalingDividesEach) {
    const char* plain = R"({"encoding": {"kind": "rope"}, "d_model": 128})";
    const char* scaled =
        R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "linear", "factor": 4}}, "d_model": 128})";
    const Spectrum a = spectrum(plain), b = spectrum(scaled);
    for (std::size_t i = 0; i < a.pairs(); ++i) EXPECT_EQ(b.frequency[i], a.frequency[i] / 4.0);
    EXPECT_EQ(
        spectrum(
            R"({"encoding": {"kind": "rope", "rope_scaling": {"type": "linear", "factor": 4}}, "d_model": 128})"),
        b)
        << "the older spelling";
    EXPECT_EQ(
        spectrum(
            R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "default"}}, "d_model": 128})"),
        a);
}

TEST(Frequencies, PartialRotaryTurnsTheFirstFeatures) {
    const Spectrum partial =
        spectrum(R"({"encoding": {"kind": "rope", "partial_rotary_factor": 0.25}, "d_model": 128})");
    EXPECT_EQ(partial.pairs(), 16U);
    EXPECT_EQ(partial, spectrum(R"({"encoding": "rope", "d_model": 32})"))
        << "the denominator is the rotary dim";
}

TEST(Frequencies, ThePairOfAnotherSpectrumIsTheNearestOnALogarithm) {
    const Spectrum wide = geometric_spectrum(10000.0, 256, 256), narrow = geometric_spectrum(10000.0, 32, 32);
    for (std::size_t i = 0; i < narrow.pairs(); ++i) {
        const LinkedPair linked = linked_pair(narrow.frequency[i], wide);
        EXPECT_EQ(linked.pair, 8 * i);
        EXPECT_TRUE(linked.exact);
        EXPECT_EQ(linked_pair(wide.frequency[8 * i + 3], narrow).pair, i);
        EXPECT_FALSE(linked_pair(wide.frequency[8 * i + 3], narrow).exact);
    }
    EXPECT_EQ(linked_pair(1e-9, narrow).pair, 31U);
    EXPECT_EQ(linked_pair(7.0, narrow).pair, 0U);
    const Spectrum still = spectrum_from({1.0, 0.0, 0.1, 0.0});
    EXPECT_EQ(linked_pair(0.0, still).pair, 1U);
    EXPECT_TRUE(linked_pair(0.0, still).exact);
    EXPECT_FALSE(linked_pair(1e-30, still).exact);
}

#ifdef POSISCOPE_MPFR

TEST(Frequencies, AreWithinOneUlp) {
    double worst = 0.0;
    for (const Stepped& c : cases()) {
        const Spectrum s = geometric_spectrum(c.base, static_cast<std::size_t>(c.pairs),
                                              static_cast<std::uint64_t>(c.n), c.multiple, c.cycles);
        for (const std::int64_t pair : sampled_pairs(c.pairs)) {
            const Real power = pow(Real(c.base), Real::integer(-pair * c.multiple) / Real::integer(c.n));
            const Real exact = c.cycles ? power * Real(2.0) * Real::pi() : power;
            worst = std::max(worst, ulps(s.frequency[static_cast<std::size_t>(pair)], exact));
        }
    }
    EXPECT_LE(worst, 1.0);
}

#endif

}  // namespace
}  // namespace posiscope::frequencies_test
