// Keys that are rotated again and again: against a loop in float, and the figures of a cache of 1000 shifts by −1.
#include "core/precision/precision.hpp"

#include "core/quantities/quantities.hpp"
#include "tests/core/scenes.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::shifted_test {
namespace {

constexpr std::string_view kHead =
    R"({"encoding": "rope", "d_model": 64, "pair": 0, "length": 1001, "offset": -1, "position": 1})";

TEST(ShiftedKeys, AThousandShiftsInEachFormat) {
    const Spectrum head = spectrum(kHead);
    const auto last = [&](Precision precision) { return shifted_errors(head, precision, -1, 1001).back(); };
    EXPECT_NEAR(last(Precision::float16), 0.33964, 5e-6);
    EXPECT_NEAR(last(Precision::float32), 4.0996e-5, 5e-9);
    EXPECT_GT(last(Precision::bfloat16), 1.0);
}

TEST(ShiftedKeys, InFloat32IsWhatFloatDoes) {
    const Spectrum head = spectrum(R"({"encoding": "rope", "d_model": 2, "pair": 0})");
    const auto errors = shifted_errors(head, Precision::float32, 3, 400);
    const auto c = static_cast<float>(std::cos(3.0)), s = static_cast<float>(std::sin(3.0));
    float x = 1.0F, y = 0.0F;
    EXPECT_EQ(errors[0], 0.0);
    for (std::size_t n = 1; n < errors.size(); ++n) {
        const volatile float xc = x * c, ys = y * s, xs = x * s, yc = y * c;
        x = xc - ys, y = xs + yc;
        const double angle = 3.0 * static_cast<double>(n);
        EXPECT_NEAR(
            errors[n],
            std::hypot(static_cast<double>(x) - std::cos(angle), static_cast<double>(y) - std::sin(angle)),
            1e-12);
    }
}

TEST(ShiftedKeys, AreAQuantity) {
    const auto arrays = evaluate(*find_quantity("key_shifts"), scene(kHead), 1 << 20);
    ASSERT_TRUE(arrays);
    EXPECT_EQ(arrays->front().shape.sizes, (std::vector<std::int64_t>{4, 1001}));
    EXPECT_NEAR(arrays->front().values.back(), 0.33964, 5e-6);
    EXPECT_FALSE(evaluate(*find_quantity("key_shifts"),
                          scene(R"({"encoding": "rope", "length": 2147483647})"), 1 << 20));
    EXPECT_FALSE(evaluate(*find_quantity("key_shifts"), scene(R"({"encoding": "alibi"})"), 1 << 20));
}

}  // namespace
}  // namespace posiscope::shifted_test
