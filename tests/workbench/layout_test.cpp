// The layout alone: rectangles in, rectangles out.
#include "app/workbench/window/layout.hpp"

#include <gtest/gtest.h>

namespace posiscope::workbench {
namespace {

constexpr Rect kRoom{12.0F, 58.0F, 1268.0F, 734.0F};

TEST(Layout, TilesFillTheRoomWithGapsBetweenThem) {
    for (const Bench& bench : benches()) {
        Layout layout;
        std::vector<double> ratios;
        layout.divide(bench, kRoom, ratios);
        const auto names = figures_of(bench);
        ASSERT_EQ(layout.tiles().size(), names.size());
        EXPECT_EQ(ratios.size(), names.size() - 1);
        EXPECT_EQ(layout.dividers().size(), names.size() - 1);
        EXPECT_EQ(layout.around(""), kRoom) << bench.id;
        for (std::size_t i = 0; i < names.size(); ++i) {
            EXPECT_EQ(layout.tiles()[i].figure, names[i]) << "from top left to bottom right";
            for (std::size_t j = 0; j < i; ++j) {
                const Rect &a = layout.tiles()[i].area, &b = layout.tiles()[j].area;
                EXPECT_TRUE(a.x0 - b.x1 >= kGap || b.x0 - a.x1 >= kGap || a.y0 - b.y1 >= kGap ||
                            b.y0 - a.y1 >= kGap)
                    << names[i] << " and " << names[j];
            }
        }
    }
}

TEST(Layout, RatiosThatDoNotFitTheBenchAreReplaced) {
    Layout layout;
    std::vector<double> ratios{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    layout.divide(bench_of("shift"), kRoom, ratios);
    EXPECT_EQ(ratios, std::vector<double>{0.5});
    ratios = {0.25};
    layout.divide(bench_of("shift"), kRoom, ratios);
    EXPECT_EQ(ratios, std::vector<double>{0.25}) << "one that fits stays";
    EXPECT_FLOAT_EQ(layout.tiles()[0].area.width(), std::round((kRoom.width() - kGap) * 0.25F));
}

TEST(Layout, ADividerFollowsTheMouseAndLeavesEachPartRoom) {
    Layout layout;
    std::vector<double> ratios;
    layout.divide(bench_of("shift"), kRoom, ratios);
    const Divider& divider = layout.dividers()[0];
    EXPECT_NEAR(divider.ratio_at({kRoom.x0 + 0.3F * kRoom.width(), 0.0F}), 0.3, 1e-6);
    EXPECT_EQ(divider.ratio_at({-1e6F, 0.0F}), 0.15);
    EXPECT_EQ(divider.ratio_at({1e6F, 0.0F}), 0.85);
}

TEST(Layout, AFigureIsAloneFromTheNextFrameOn) {
    Layout layout;
    layout.show_alone("matrix");
    EXPECT_EQ(layout.alone(), "") << "this frame is drawn as it began";
    layout.apply();
    EXPECT_EQ(layout.alone(), "matrix");
    layout.toggle("scores");
    layout.apply();
    EXPECT_EQ(layout.alone(), "") << "the bench again";
    layout.toggle("scores");
    layout.apply();
    EXPECT_EQ(layout.alone(), "scores");
    layout.give_all("scores", kRoom);
    EXPECT_EQ(layout.around("scores"), kRoom);
    EXPECT_TRUE(layout.around("matrix").empty());
}

// A key that comes between apply() and the next frame's tiles asks for a tile of the frame before.
TEST(Layout, ATileKeepsItsNameWhenTheBenchIsBack) {
    Layout layout;
    layout.show_alone(std::string("matrix"), std::string("scores"));
    layout.apply();
    layout.halve(layout.alone(), layout.beside(), kRoom);
    layout.show_bench();
    layout.apply();
    ASSERT_EQ(layout.tiles()[0].figure, "matrix");
    ASSERT_EQ(layout.tiles()[1].figure, "scores");
    layout.show_alone("no figure's name");
    layout.apply();
    EXPECT_EQ(layout.alone(), "");
}

}  // namespace
}  // namespace posiscope::workbench
