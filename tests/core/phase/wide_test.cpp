// Fixed-point arithmetic: the documented cuts, against 128-bit integers and MPFR.
#include "core/phase/wide.hpp"
#include "tests/core/real.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>

namespace posiscope::wide_test {
namespace {

Wide whole(std::uint64_t n) { return {n, 0, 0, 0}; }

bool same(const Wide& a, const Wide& b) { return !(a < b) && !(b < a); }

TEST(Wide, DoublesInRangeComeBackUnchanged) {
    for (const double x : {0.0, 1.0, 0.1, 10000.5, 1e18, 0x1p-139, 0x1.fffffffffffffp63, 1.0 / 3.0})
        EXPECT_EQ(Wide::from_double(x).to_double(), x);
    EXPECT_EQ(Wide::from_double(0x1p-193).to_double(), 0.0);  // past the last bit
}

RC_GTEST_PROP(Wide, SumsAndDifferencesAreExact, (std::uint64_t a, std::uint64_t b, std::uint64_t c)) {
    const Wide x{a >> 1, b, c, a}, y{b >> 1, c, a, b};
    RC_ASSERT(same((x + y) - y, x));
    RC_ASSERT(same(x + y, y + x));
    RC_ASSERT(!(x + y < x));
}

RC_GTEST_PROP(Wide, ProductsOfWholeNumbersAreExact, (std::uint32_t a, std::uint32_t b)) {
    RC_ASSERT(same(whole(a) * whole(b), whole(std::uint64_t{a} * b)));
    const auto divisor = std::uint64_t{b} + 1;
    RC_ASSERT(same(whole(std::uint64_t{a} * divisor) / divisor, whole(a)));
}

TEST(Wide, PowersOfTwoMoveBits) {
    EXPECT_TRUE(same(power(whole(2), 63), whole(std::uint64_t{1} << 63)));
    EXPECT_TRUE(same(power(Wide::from_double(0.5), 192), Wide(0, 0, 0, 1)));
    EXPECT_TRUE(same(power(whole(7), 0), whole(1)));
}

#ifdef POSISCOPE_MPFR

RC_GTEST_PROP(Wide, ProductsAreCutAtTheLastBit, (std::uint64_t a, std::uint64_t b, std::uint64_t c)) {
    const Wide x{a >> 40, b, c, a}, y{b >> 40, c, a, b};
    const double cut = ((Real::wide(x) * Real::wide(y)) - Real::wide(x * y)).to_double();
    RC_ASSERT(cut >= -0x1p-250);  // the judge itself rounds
    RC_ASSERT(cut <= 5 * 0x1p-192);
    const auto divisor = (c >> 44) + 1;
    const double rest =
        (Real::wide(x) / Real(static_cast<double>(divisor)) - Real::wide(x / divisor)).to_double();
    RC_ASSERT(rest >= -0x1p-250);
    RC_ASSERT(rest <= 0x1p-192);
}

TEST(Wide, TwoPiAndItsInverse) {
    const double error = (Real(0.5) / Real::pi() - Real::wide(kInverseTwoPi)).to_double();
    EXPECT_LE(std::abs(error), 0x1p-192);
    EXPECT_LE(std::abs((Real(2.0) * Real::pi() - Real::wide(kTwoPi)).to_double()), 0x1p-192);
}

TEST(Wide, InverseRootsAreRightTo120Bits) {
    for (const double base : {1.0000001, 2.0, 10000.0, 10000.5, 5e5, 1e8, 1e18, 0x1p60})
        for (const std::uint64_t n :
             {1ULL, 2ULL, 31ULL, 32ULL, 255ULL, 256ULL, 32767ULL, 32768ULL, 1ULL << 20}) {
            const Real exact = pow(Real(base), Real(-1.0) / Real(static_cast<double>(n)));
            const double error = (Real::wide(inverse_root(base, n)) - exact).to_double();
            EXPECT_LE(std::abs(error), 0x1p-120) << base << " " << n;
        }
}

#endif

}  // namespace
}  // namespace posiscope::wide_test
