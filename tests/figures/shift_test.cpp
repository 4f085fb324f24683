// The Shift figure: the map does not depend on p, it maps the vectors as in core, and two shifts are one.
#include "app/figures/shift/shift.hpp"
#include "tests/figures/hand.hpp"
#include "tests/shown.hpp"

namespace posiscope::test::shift_test {
namespace {

TEST(Shift, HeadlineSaysTheLargestErrorOfAllDimensions) {
    for (const char* kind : {"sinusoidal", "rope"}) {
        const Scene scene = scene_of({{"encoding", kind}, {"position", 1000000}, {"offset", 12345}});
        const Spectrum spectrum = *spectrum_of(scene);
        double worst = 0.0;
        for (const Step step : spectrum.step)
            worst = std::max(worst, check_shift(encoding_of(scene), step, 1000000, 12345).max_abs_error());
        auto scratch = std::make_unique<ui::Scratch>();
        const std::string headline = Hand("shift", scene).headline;
        EXPECT_NE(headline.find(ui::residual(*scratch, worst)), std::string::npos)
            << kind << ": " << headline;
        EXPECT_LT(worst, 1e-15) << "the shift is exact but for rounding";
    }
    EXPECT_EQ(Hand("shift", Scene())
                  .headline.find("One matrix, M₃, moves every position: here PE(10) to PE(13), within 10"),
              0U);
}

TEST(Shift, DraggingPLeavesTheMapStill) {
    Scene scene = scene_of({{"d_model", 64}});
    Hand hand("shift", scene);
    const Point p = hand.handle("position");
    hand.drag(p, p + Point{150.0F, 0.0F});
    EXPECT_GT(hand.scene.position, 20);
    EXPECT_EQ(hand.scene.offset, 3) << "p moves, the offset stays";
    // The map is made for an offset alone: the same numbers at every p.
    figures::Derived derived;
    auto& kept = derived.part<figures::shifts::Shifts>();
    const auto* before = figures::shifts::map_of(scene, derived, kept.map, 3).cosine.data();
    scene.position = 99;
    EXPECT_EQ(figures::shifts::map_of(scene, derived, kept.map, 3).cosine.data(), before)
        << "another p computed the map again";
    const Spectrum spectrum = *spectrum_of(scene);
    for (std::size_t i = 0; i < spectrum.pairs(); ++i) EXPECT_EQ(before[i], cos(phase(spectrum.step[i], 3)));
}

TEST(Shift, DraggingTheOtherKnobMovesTheOffset) {
    Hand hand("shift", scene_of({{"d_model", 64}, {"offset", 40}}));
    const Point q = hand.handle("offset");
    hand.drag(q, q + Point{100.0F, 0.0F});
    EXPECT_GT(hand.scene.offset, 50);
    EXPECT_EQ(hand.scene.position, 10);
}

TEST(Shift, TwoOffsetsMakeOne) {
    Hand hand("shift", scene_of({{"d_model", 64}}));
    EXPECT_TRUE(hand.canvas.says("to within"));
    const Point b = hand.handle("second");
    hand.drag(b, b + Point{40.0F, 0.0F});
    ASSERT_TRUE(hand.scene.view.contains("shift"));
    EXPECT_GT(hand.scene.view["shift"]["second"].get<std::int64_t>(), 5);
    EXPECT_EQ(hand.scene.offset, 3) << "b is a second offset, not the Scene's";
}

TEST(Shift, FewDimensionsShowTheWholeSquare) {
    const Scene scene = scene_of({{"d_model", 8}, {"pair", 1}});
    const Hand hand("shift", scene, {0.0F, 0.0F, 800.0F, 560.0F});
    const Spectrum spectrum = *spectrum_of(scene);
    for (const Step step : spectrum.step) {
        const Block block = shift_block(encoding_of(scene), phase(step, 3));
        for (const double entry : {block.a, block.b, block.c, block.d})
            EXPECT_TRUE(hand.canvas.says(shown(entry, 2))) << entry;
    }
    EXPECT_FALSE(Hand("shift", scene_of({{"d_model", 34}})).canvas.says("\\text{computed}"))
        << "more than 32 dimensions are lines, not a square";
}

TEST(Shift, AClickChoosesThePairUnderTheMouse) {
    Hand hand("shift", scene_of({{"d_model", 64}}));
    hand.move({350.0F, 200.0F});
    ASSERT_TRUE(hand.hovered.frequency);
    const auto pair = linked_pair(*hand.hovered.frequency, *spectrum_of(hand.scene)).pair;
    hand.press();
    hand.release();
    EXPECT_EQ(hand.scene.pair, static_cast<std::int64_t>(pair));
}

}  // namespace
}  // namespace posiscope::test::shift_test
