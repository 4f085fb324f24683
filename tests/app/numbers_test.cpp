// Numbers for reading: signs, thin spaces, powers of ten, and rounding.
#include "app/ui/numbers.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>

namespace posiscope::ui::numbers_test {
namespace {

class Numbers : public testing::Test {
protected:
    std::string whole(std::int64_t value) { return std::string(integer(*scratch_, value)); }
    std::string sign(std::int64_t value) { return std::string(signed_integer(*scratch_, value)); }
    std::string point(double value, int decimals) { return std::string(fixed(*scratch_, value, decimals)); }
    std::string digits(double value, int count = 4) {
        return std::string(significant(*scratch_, value, count));
    }
    std::string rest(double value, double scale = 1.0) {
        return std::string(residual(*scratch_, value, scale));
    }
    std::string below(std::int64_t value) { return std::string(subscript(*scratch_, value)); }

    std::unique_ptr<Scratch> scratch_ = std::make_unique<Scratch>();
};

TEST_F(Numbers, ThousandsAreSetApartFromFiveDigitsOn) {
    EXPECT_EQ(whole(0), "0");
    EXPECT_EQ(whole(9999), "9999");
    EXPECT_EQ(whole(10000), "10\u2009000");
    EXPECT_EQ(whole(2147483647), "2\u2009147\u2009483\u2009647");
    EXPECT_EQ(whole(-9999), "\u22129999") << "a true minus, and it is no digit";
    EXPECT_EQ(whole(-10000), "\u221210\u2009000");
    EXPECT_EQ(whole(std::numeric_limits<std::int64_t>::min()),
              "\u22129\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808");
    EXPECT_EQ(sign(3), "+3");
    EXPECT_EQ(sign(0), "0");
    EXPECT_EQ(sign(-3), "\u22123");
    EXPECT_EQ(sign(65536), "+65\u2009536");
}

TEST_F(Numbers, FixedHasSoManyDecimalsAndNoNegativeZero) {
    EXPECT_EQ(point(-0.938347, 6), "\u22120.938347");
    EXPECT_EQ(point(2.0, 0), "2");
    EXPECT_EQ(point(2.5, 2), "2.50");
    EXPECT_EQ(point(0.0049, 2), "0.00");
    EXPECT_EQ(point(-0.0049, 2), "0.00");
    EXPECT_EQ(point(-0.0051, 2), "\u22120.01");
    EXPECT_EQ(point(-0.0, 1), "0.0");
    EXPECT_EQ(point(12345.678, 1), "12\u2009345.7") << "thousands before the point, none behind it";
    EXPECT_EQ(point(0.123456, 6), "0.123456");
}

TEST_F(Numbers, FixedIsAPowerOfTenWhereNoDecimalIsLeft) {
    EXPECT_EQ(point(999'999'999'999'999.0, 0), "999\u2009999\u2009999\u2009999\u2009999");
    EXPECT_EQ(point(-5e21, 2), "\u22125.000×10²¹");
    EXPECT_EQ(point(1e300, 9), "1.000×10³⁰⁰");
    EXPECT_EQ(point(std::numeric_limits<double>::infinity(), 2), "∞");
    EXPECT_EQ(point(std::numeric_limits<double>::quiet_NaN(), 2), "–");
}

TEST_F(Numbers, SignificantDigitsAreKeptAndPowersOfTenSetAsPowers) {
    EXPECT_EQ(digits(0.0), "0");
    EXPECT_EQ(digits(0.34567), "0.3457");
    EXPECT_EQ(digits(1.0), "1.000");
    EXPECT_EQ(digits(60611.2), "60\u2009611");
    EXPECT_EQ(digits(0.001), "0.001000");
    EXPECT_EQ(digits(0.000104), "1.040×10⁻⁴");
    EXPECT_EQ(digits(-0.000104, 3), "\u22121.04×10⁻⁴");
    EXPECT_EQ(digits(1234567.0), "1\u2009234\u2009567");
    EXPECT_EQ(digits(12345678.0), "1.235×10⁷");
    EXPECT_EQ(digits(1e300, 1), "1×10³⁰⁰");
    EXPECT_EQ(digits(1e-300, 1), "1×10⁻³⁰⁰");
    EXPECT_EQ(digits(9.9999, 3), "10.0") << "rounding may carry into another power";
    EXPECT_EQ(digits(0.00099996, 3), "0.00100");
    EXPECT_EQ(digits(5e-324, 1), "5×10⁻³²⁴") << "the smallest double";
}

TEST_F(Numbers, WhatIsNoNumberHasASign) {
    EXPECT_EQ(digits(std::numeric_limits<double>::infinity()), "∞");
    EXPECT_EQ(digits(-std::numeric_limits<double>::infinity()), "\u2212∞");
    EXPECT_EQ(digits(std::nan("")), "–");
}

// Two C libraries round a sine differently by its last bit: no reader sees which of them was at work.
TEST_F(Numbers, ResidualsOfOtherRoundingsReadTheSame) {
    for (const double value : {2.2e-16, 2e-16, 6e-17, 0.0, -1.1e-16, 1e-15}) EXPECT_EQ(rest(value), "10⁻¹⁵");
    for (const double value : {5.7e-14, 2.8e-14, 0.0}) EXPECT_EQ(rest(value, 256.0), "10⁻¹²");
    EXPECT_EQ(rest(0.0, 0.0), "0") << "exact by construction";
}

TEST_F(Numbers, ResidualsAboveRoundingsAreThePowerOfTenThatTheyAreAtMost) {
    EXPECT_EQ(rest(1.1e-15), "10⁻¹⁴");
    EXPECT_EQ(rest(3.2e-13), "10⁻¹²");
    EXPECT_EQ(rest(-9.9e-5), "10⁻⁴");
    EXPECT_EQ(rest(0.0012), "0.01");
    EXPECT_EQ(rest(0.5), "1");
    EXPECT_EQ(rest(std::nan("")), "–");
}

// Also where a logarithm of the number is not the whole number that it should be.
TEST_F(Numbers, ABoundIsTheLeastPowerOfTenThatIsNotBelow) {
    for (int power = -300; power <= 300; ++power) {
        if (power >= -3 && power <= 3) continue;  // these are written out
        const double ten = std::stod("1e" + std::to_string(power));
        const std::string here(bound(*scratch_, ten));
        EXPECT_EQ(bound(*scratch_, std::nextafter(ten, 0.0)), here) << power;
        EXPECT_NE(bound(*scratch_, std::nextafter(ten, 2.0 * ten)), here) << power;
        EXPECT_EQ(bound(*scratch_, -0.2 * ten), here) << power;
        scratch_->reset();
    }
}

TEST_F(Numbers, SubscriptsAreDigitsSetLow) {
    EXPECT_EQ(below(10), "₁₀");
    EXPECT_EQ(below(-7), "₋₇");
    EXPECT_EQ(below(0), "₀");
}

// Read back with the separators removed, a number is within half a unit of its last digit.
RC_GTEST_FIXTURE_PROP(Numbers, FixedIsTheNearest, (int mantissa, int decimals_seed)) {
    const int decimals = std::abs(decimals_seed % 7);
    const double value = mantissa * 1.37e-3;
    std::string text = point(value, decimals), ascii;
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, 3, "\u2009") == 0) {
            i += 3;
        } else if (text.compare(i, 3, "\u2212") == 0) {
            ascii += '-', i += 3;
        } else {
            ascii += text[i++];
        }
    }
    RC_ASSERT(std::abs(std::stod(ascii) - value) <= 0.5000001 * std::pow(10.0, -decimals) + 1e-9);
}

}  // namespace
}  // namespace posiscope::ui::numbers_test
