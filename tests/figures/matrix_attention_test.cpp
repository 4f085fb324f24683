// The Matrix figure's attention: its numbers are core's, also in the tooltip, and sampling is stated.
#include "core/attention/means.hpp"
#include "tests/figures/finished.hpp"
#include "tests/figures/hand.hpp"
#include "tests/sanitized.hpp"

namespace posiscope::test::matrix_attention_test {
namespace {

Scene with_attention(Json partial) {
    partial["view"]["matrix"]["mode"] = "attention";
    partial["content"] = "seeded";
    return scene_of(partial);
}

TEST(MatrixAttention, EveryEncodingHasItAndSaysWhatARowIs) {
    for (const Encoding* encoding : encodings()) {
        const Hand hand("matrix",
                        with_attention({{"encoding", std::string(encoding->kind)}, {"num_heads", 4}}));
        EXPECT_NE(hand.headline.find("sums to 1"), std::string::npos)
            << encoding->kind << ": " << hand.headline;
        EXPECT_EQ(hand.canvas.heatmaps.size(), 1U) << encoding->kind;
    }
}

TEST(MatrixAttention, TheCellUnderTheMouseIsCoresShare) {
    const Scene scene =
        with_attention({{"encoding", "rope"}, {"num_heads", 4}, {"length", 12}, {"d_model", 32}});
    Hand hand("matrix", scene);
    hand.move({250.0F, 400.0F});
    ASSERT_TRUE(hand.hovered.position && hand.hovered.distance);
    const std::int64_t i = *hand.hovered.position, j = i - *hand.hovered.distance;
    const auto whole = attention(scene);
    ASSERT_TRUE(whole);
    EXPECT_EQ(hand.tip_formula, fmt::format("a_{{{}, {}}}", i, j));
    const double said = std::stod(hand.tip_value.substr(2)),
                 wanted = whole->weights[static_cast<std::size_t>(i * 12 + j)];
    EXPECT_NEAR(said, wanted, 1e-3 * wanted) << hand.tip_formula << " " << hand.tip_value;
}

TEST(MatrixAttention, WhatIsLeftOutIsSaidAndZoomingBringsItBack) {
    figures::Background background([] {});
    Hand hand("matrix",
              with_attention({{"encoding", "rope"},
                              {"num_heads", 4},
                              {"d_model", 64},
                              {"length", kSanitized ? 100000 : 200000}}),
              {0.0F, 0.0F, 640.0F, 480.0F}, &background);
    EXPECT_TRUE(hand.canvas.says("positions is sampled")) << "so many positions, and nothing said of them";
    for (int i = 0; i < 60; ++i) hand.wheel({250.0F, 200.0F}, 2.0F);
    // What depends on another value is asked for only once that is there.
    for (int round = 0; round < 4; ++round) {
        ASSERT_TRUE(finished(background));
        hand.move({250.0F, 200.0F});
    }
    EXPECT_FALSE(hand.canvas.says("sampled")) << "a few positions in view are still thinned";
}

}  // namespace
}  // namespace posiscope::test::matrix_attention_test
