// The distance at which equal contents score less than chance, against the figures of arXiv 2405.14591.
#include "core/scores/below.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::below_test {
namespace {

std::optional<std::int64_t> first(double base, std::size_t pairs, std::int64_t limit) {
    return first_below_zero(geometric_spectrum(base, pairs, pairs), limit);
}

TEST(BelowZero, WhereTheSumOfCosinesFirstIs) {
    EXPECT_EQ(first(10000.0, 64, 100000), 1707);
    EXPECT_EQ(first(27000.0, 64, 100000), 4079);
    EXPECT_EQ(first(500000.0, 64, 100000), 18438);
    EXPECT_EQ(first(27000.0, 64, 4078), std::nullopt);
    // The sum itself, term by term.
    for (const std::int64_t distance : {1706, 1707}) {
        double sum = 0.0;
        for (int i = 0; i < 64; ++i)
            sum += std::cos(static_cast<double>(distance) * std::pow(10000.0, -i / 64.0));
        EXPECT_EQ(sum < 0.0, distance == 1707) << sum;
    }
}

TEST(BelowZero, TheLeastBaseForALength) {
    const auto base = least_base(128, 4000);
    ASSERT_TRUE(base);
    EXPECT_FALSE(first(*base, 64, 4000));
    EXPECT_TRUE(first(*base / 1.002, 64, 4000));
    EXPECT_LT(*base, 27000.0);
}

}  // namespace
}  // namespace posiscope::below_test
