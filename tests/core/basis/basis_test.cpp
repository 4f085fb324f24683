// Columns and rows of the sinusoidal table, in closed form, against the sums themselves and against pinned values.
#include "core/attention/identities.hpp"
#include "core/basis/columns.hpp"
#include "core/basis/fourier.hpp"
#include "core/basis/independence.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>

namespace posiscope::basis_test {
namespace {

Spectrum sinusoidal(std::int64_t width, const char* variant = "paper") {
    return spectrum(
        fmt::format(R"({{"d_model": {}, "pair": 0, "encoding": {{"kind": "sinusoidal", "variant": "{}"}}}})",
                    width, variant));
}

double value(Step step, bool cosine, std::int64_t p) {
    return cosine ? cos(phase(step, p)) : sin(phase(step, p));
}

TEST(Columns, ProductsAreTheSums) {
    const Spectrum made = sinusoidal(16);
    for (const std::int64_t n : {1, 2, 7, 100, 1000})
        for (const Step a : made.step)
            for (const Step b : made.step) {
                ColumnProducts want;
                for (std::int64_t p = 0; p < n; ++p) {
                    want.sin_sin += value(a, false, p) * value(b, false, p);
                    want.cos_cos += value(a, true, p) * value(b, true, p);
                    want.sin_cos += value(a, false, p) * value(b, true, p);
                }
                const double half = 0.5 * static_cast<double>(n);
                const ColumnProducts got = column_products(a, b, n);
                EXPECT_NEAR(got.sin_sin, want.sin_sin / half, 1e-13);
                EXPECT_NEAR(got.cos_cos, want.cos_cos / half, 1e-13);
                EXPECT_NEAR(got.sin_cos, want.sin_cos / half, 1e-13);
            }
}

TEST(Columns, GramStandsInTheTablesOrder) {
    for (const char* variant : {"paper", "halves"}) {
        const Scene s = scene(fmt::format(
            R"({{"d_model": 6, "pair": 0, "encoding": {{"kind": "sinusoidal", "variant": "{}"}}}})",
            variant));
        const Spectrum made = *spectrum_of(s);
        const PairLayout layout = encoding_of(s).layout(s);
        const auto gram = column_gram(made, layout, 50);
        for (std::int64_t a = 0; a < 6; ++a)
            for (std::int64_t b = 0; b < 6; ++b) {
                double sum = 0.0;
                for (std::int64_t p = 0; p < 50; ++p)
                    sum += table_value(made, layout, p, a) * table_value(made, layout, p, b);
                EXPECT_NEAR(gram[static_cast<std::size_t>(6 * a + b)], sum / 25.0, 1e-13) << variant;
            }
    }
}

TEST(Columns, PowerIsTheTransformsOwn) {
    const Spectrum made = sinusoidal(8);
    for (const std::int64_t n : {1, 2, 5, 16, 60})
        for (const Step step : made.step)
            for (const bool cosine : {false, true}) {
                std::vector<double> want;
                for (std::int64_t q = 0; q <= n / 2; ++q) {
                    std::complex<double> sum = 0.0;
                    for (std::int64_t p = 0; p < n; ++p)
                        sum += value(step, cosine, p) *
                               std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(q * p % n) /
                                                   static_cast<double>(n));
                    want.push_back((q == 0 || 2 * q == n ? 1.0 : 2.0) * std::norm(sum));
                }
                const double total = std::accumulate(want.begin(), want.end(), 0.0);
                const auto got = column_power(step, cosine, n);
                ASSERT_EQ(got.size(), want.size());
                for (std::size_t q = 0; q < want.size(); ++q)
                    EXPECT_NEAR(got[q], total < 1e-20 ? 0.0 : want[q] / total, 1e-12) << n << " bin " << q;
            }
}

// d = 64 over 512 positions: a column's power is nowhere in one bin, but where a period divides the length.
TEST(Columns, AFiniteLengthLeaks) {
    const Spectrum made = sinusoidal(64);
    const double want[][2] = {{0, 0.4274}, {1, 0.9628}, {5, 0.7010}, {15, 0.9709}, {31, 0.7494}};
    for (const auto& [pair, fraction] : want) {
        const auto got = leakage(column_power(made.step[static_cast<std::size_t>(pair)], false, 512));
        EXPECT_NEAR(got.fraction, fraction, 5e-5) << pair;
        EXPECT_GE(got.above, 239) << pair;
    }
    const auto whole = leakage(column_power(sinusoidal(8, "two_pi").step[1], false, 100));
    EXPECT_NEAR(whole.fraction, 1.0, 1e-12) << "0.1 cycles a position, 10 whole periods";
    EXPECT_EQ(whole.bin, 10);
    EXPECT_EQ(whole.above, 1);
    EXPECT_EQ(leakage(column_power(Step{}, false, 10)).fraction, 1.0) << "zeros have nothing to leak";
}

TEST(Fourier, TheOvershootStaysAndTheErrorGoes) {
    EXPECT_EQ(square_coefficient(4), 0.0);
    EXPECT_NEAR(square_coefficient(-3), 2.0 / (3.0 * std::numbers::pi), 1e-15);
    // 4/π, then Gibbs: (Si(π)·2/π − 1) / 2 of the jump.
    EXPECT_NEAR(square_sum(1).overshoot, 0.5 * (4.0 / std::numbers::pi - 1.0), 1e-14);
    EXPECT_NEAR(square_sum(8).overshoot, 0.09014206446135276, 1e-13);
    EXPECT_NEAR(square_sum(1 << 18).overshoot, kGibbsOvershoot, 1e-10);
    EXPECT_LT(square_sum(1 << 18).error, 1e-3);
    for (const std::int64_t terms : {1, 5, 40}) {
        std::vector<double> sum(20000);
        square_curve(terms, sum);
        double squares = 0.0, most = 0.0;
        for (std::size_t i = 0; i < sum.size(); ++i) {
            const double wave = i == 0 || i == 10000 ? 0.0 : i < 10000 ? 1.0 : -1.0;
            squares += (sum[i] - wave) * (sum[i] - wave) / 20000.0;
            most = std::max(most, sum[i]);
        }
        EXPECT_NEAR(square_sum(terms).error, std::sqrt(squares), 1e-3) << terms;
        EXPECT_NEAR(square_sum(terms).overshoot, 0.5 * (most - 1.0), 1e-5) << terms;
    }
}

TEST(Independence, ExactRankStopsAtTheWidth) {
    for (const std::int64_t d : {2, 4, 64, 512, 65536})
        for (const std::int64_t n : {1, 2, 64, 65536, 1000000})
            EXPECT_EQ(exact_rank(sinusoidal(d), n), std::min(n, d));
    EXPECT_EQ(exact_rank(sinusoidal(64, "two_pi"), 1000), 63) << "sin of whole turns is a column of zeros";
    // Where rounding does not yet hide it, the doubles agree.
    for (const std::int64_t d : {2, 4, 6})
        for (const std::int64_t n : {1, 3, 6, 20})
            EXPECT_EQ(table_rank(sinusoidal(d), n)->rank, std::min(n, d)) << d << " " << n;
}

TEST(Independence, FiveRowsOfFourNumbersCancel) {
    const auto null = *null_vector(sinusoidal(4), 5);
    const double want[] = {0.1616, -0.4978, 0.6724, -0.4978, 0.1616};
    for (std::size_t p = 0; p < 5; ++p) EXPECT_NEAR(null.weights[p], want[p], 5e-5);
    EXPECT_LT(null.residual, 1e-15);
    EXPECT_TRUE(null_vector(sinusoidal(4), 4)->weights.empty()) << "four rows do not";
    EXPECT_TRUE(null_vector(sinusoidal(64), 40)->weights.empty())
        << "nor do 40 of 64, whatever doubles can tell";
    EXPECT_EQ(null_vector(sinusoidal(4), 100000).error().key, "cost.too_high");
}

TEST(Independence, DeterminantsByTheirNodes) {
    EXPECT_NEAR(log10_determinant(sinusoidal(16)), -127.3, 0.05);
    EXPECT_NEAR(log10_determinant(sinusoidal(32)), -598.5, 0.05);
    EXPECT_TRUE(std::isinf(log10_determinant(sinusoidal(8, "two_pi"))));
    // d = 2: rows (0, 1) and (sin 1, cos 1)
    EXPECT_NEAR(log10_determinant(sinusoidal(2)), std::log10(std::sin(1.0)), 1e-14);
}

TEST(Independence, SomeFrequenciesAreRational) {
    EXPECT_EQ(rational_frequencies(10000.0, 256), 4) << "1, 0.1, 0.01, 0.001";
    EXPECT_EQ(rational_frequencies(10000.0, 4), 4);
    EXPECT_EQ(rational_frequencies(10000.0, 3), 1);
    EXPECT_EQ(rational_frequencies(10000.0, 6), 2) << "1 and 10000^(-1/2)";
    EXPECT_EQ(rational_frequencies(65536.0, 16), 16);
    EXPECT_EQ(rational_frequencies(500000.0, 64), 1);
    EXPECT_EQ(rational_frequencies(1e18, 9), 9);
    EXPECT_EQ(rational_frequencies(2.5, 8), 1);
    EXPECT_EQ(distinct_frequencies(sinusoidal(512)), 256);
}

}  // namespace
}  // namespace posiscope::basis_test
