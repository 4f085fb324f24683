// The position axis of each pair: the description agrees with the encoding.
#include "core/encodings/action.hpp"
#include "core/encodings/axes.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>

namespace posiscope::axes_test {
namespace {

// The pairs of a query of ones that turn otherwise at one position than at another.
std::vector<bool> moved(const Scene& s, std::int64_t from, std::int64_t to) {
    const Action action = *action_of(s);
    const auto pairs = static_cast<std::int64_t>(spectrum_of(s)->pairs());
    std::vector<double> a(static_cast<std::size_t>(2 * pairs), 1.0), b = a;
    action.turn(Side::query, from, a);
    action.turn(Side::query, to, b);
    std::vector<bool> result;
    for (std::int64_t i = 0; i < pairs; ++i) {
        const auto first = static_cast<std::size_t>(dimension(encoding_of(s).layout(s), pairs, {i, 0}));
        result.push_back(a[first] != b[first]);
    }
    return result;
}

void expect_only(const Scene& s, std::string_view axis, std::int64_t from, std::int64_t to) {
    const PairAxes axes = pair_axes(s);
    const std::vector<bool> turned = moved(s, from, to);
    ASSERT_EQ(axes.axis.size(), turned.size());
    for (std::size_t i = 0; i < turned.size(); ++i)
        EXPECT_EQ(turned[i], axes.of(i) == axis) << "pair " << i << " along " << axis;
}

TEST(PairAxes, MRopeTurnsThePairsOfAnAxisAlongIt) {
    for (const bool interleaved : {false, true}) {
        const Scene s = scene(fmt::format(
            R"({{"d_model": 128, "encoding": {{"kind": "rope", "mrope_section": [24, 20, 20],
                "mrope_interleaved": {}, "grid": [4, 5, 6]}}}})",
            interleaved));
        expect_only(s, "w", 0, 1);
        expect_only(s, "h", 0, 6);
        expect_only(s, "t", 0, 30);
        EXPECT_TRUE(pair_axes(s).parted);
        EXPECT_EQ(to_text(pair_axes(s)), interleaved ? "t 24, h 20, w 20" : "t 0–23, h 24–43, w 44–63");
    }
}

TEST(PairAxes, TwoDimensionalRopeInBothOrders) {
    for (const char* order : {"xy", "yx"}) {
        const Scene s = scene(fmt::format(
            R"({{"d_model": 64, "encoding": {{"kind": "rope_2d", "grid_width": 8, "axis_order": "{}"}}}})",
            order));
        expect_only(s, "x", 0, 1);
        expect_only(s, "y", 0, 8);
        EXPECT_EQ(to_text(pair_axes(s)),
                  std::string_view(order) == "xy" ? "x 0–15, y 16–31" : "y 0–15, x 16–31");
    }
}

TEST(PairAxes, OthersHaveNone) {
    for (const char* kind : {"rope", "sinusoidal", "alibi", "xpos"})
        EXPECT_TRUE(pair_axes(scene(fmt::format(R"({{"encoding": "{}"}})", kind))).empty()) << kind;
}

}  // namespace
}  // namespace posiscope::axes_test
