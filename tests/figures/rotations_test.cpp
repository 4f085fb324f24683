// Rotations: the share of the large clock, its words, and the strip of the pairs that hardly move.
#include "app/figures/rotations/rotations.hpp"

#include "core/encodings/turning.hpp"
#include "tests/figures/hand.hpp"

namespace posiscope::test::rotations_test {
namespace {

using figures::rotations::kClockShare;

struct Size {
    float width, height;
};
// A small tile, the tile of the opening, upright, a page, a slide, and the largest page.
constexpr std::array kSizes = {Size{400.0F, 250.0F},  Size{420.0F, 260.0F},  Size{452.0F, 640.0F},
                               Size{600.0F, 1280.0F}, Size{800.0F, 1000.0F}, Size{1280.0F, 800.0F},
                               Size{1180.0F, 560.0F}, Size{3840.0F, 2160.0F}};

Stage drawn(Recorder& canvas, const Json& partial, Size size) {
    Stage stage;
    stage.area = {0.0F, 0.0F, size.width, size.height};
    stage.draw(canvas, *figures::find_figure("rotations"), scene_of(partial));
    return stage;
}

// The square around the circle and the numbers at its rim.
TEST(Rotations, TheLargeClockHasItsShareEverywhere) {
    for (const Size size : kSizes)
        for (const int width : {2, 16, 64, 512, 4096})
            for (const char* kind : {"sinusoidal", "rope"}) {
                Recorder canvas;
                (void)drawn(canvas, {{"d_model", width}, {"encoding", kind}, {"pair", 0}}, size);
                const float radius = canvas.largest_circle;
                const auto places = figures::rotations::places({0.0F, 0.0F, size.width, size.height});
                const float side = places.clock;
                const float most = std::min(size.width, size.height);
                SCOPED_TRACE(fmt::format("{} × {}, d_model {}, {}", size.width, size.height, width, kind));
                EXPECT_GE(side * side,
                          std::min(kClockShare * size.width * size.height, 0.999F * most * most));
                EXPECT_GE(2.0F * (radius + 27.5F * places.zoom), side)
                    << "the numbers are as near as they can be";
                for (const canvas::Clock& clock : canvas.clocks_drawn)
                    EXPECT_LT(clock.radius, 0.75F * radius);
            }
}

TEST(Rotations, ItsArithmeticHasItsResult) {
    for (const Size size : kSizes) {
        Recorder canvas;
        (void)drawn(canvas, {{"d_model", 64}, {"pair", 3}, {"position", 10}, {"offset", 3}}, size);
        const Spectrum spectrum = *spectrum_of(scene_of({{"d_model", 64}}));
        const Turn turn = phase(spectrum.step[3], 13);
        for (const double value : {sin(turn), cos(turn)}) {
            auto scratch = std::make_unique<ui::Scratch>();
            EXPECT_TRUE(canvas.says(ui::fixed(*scratch, value, 3))) << size.width << " × " << size.height;
        }
    }
}

TEST(Rotations, OneClockAloneHasItsEquation) {
    for (const Size size : kSizes)
        for (const char* kind : {"sinusoidal", "rope"}) {
            SCOPED_TRACE(fmt::format("{} × {}, {}", size.width, size.height, kind));
            Recorder canvas;
            (void)drawn(canvas,
                        {{"encoding", kind},
                         {"d_model", 32},
                         {"pair", 1},
                         {"position", 10},
                         {"offset", 3},
                         {"view", {{"rotations", {{"mode", "single"}}}}}},
                        size);
            const auto places = figures::rotations::places({0.0F, 0.0F, size.width, size.height}, true);
            const float most = std::min(size.width, size.height);
            EXPECT_GE(places.clock * places.clock,
                      std::min(kClockShare * size.width * size.height, 0.999F * most * most));
            EXPECT_TRUE(canvas.clocks_drawn.empty());
            for (const char* value : {"0.856", "0.517", "−0.116", "−0.613", "0.790"})
                EXPECT_TRUE(canvas.says(value)) << value;
            EXPECT_TRUE(canvas.says("ω")) << "in letters too, and at the angle";
        }
}

// A window that opens, a page beside the lecturer's notes: tiles of any height.
TEST(Rotations, EveryClockHasASizeInAnyTile) {
    for (float height = 50.0F; height < 700.0F; height += 6.5F)
        for (const float width : {70.0F, 300.0F, 900.0F})
            for (const int d_model : {16, 512}) {
                Recorder canvas;
                (void)drawn(canvas, {{"d_model", d_model}}, {width, height});
                for (const canvas::Clock& clock : canvas.clocks_drawn)
                    ASSERT_GT(clock.radius, 0.0F) << width << " × " << height;
            }
}

// Above 64 pairs, those that do not finish a turn are hands in a strip, and both halves say how many they are.
TEST(Rotations, PairsThatHardlyMoveAreGathered) {
    for (const Size size : kSizes)
        for (const int width : {256, 512, 4096}) {
            const Scene scene = scene_of({{"d_model", width}, {"length", 128}});
            const Spectrum spectrum = *spectrum_of(scene);
            const auto turning = static_cast<std::size_t>(std::ranges::count_if(
                spectrum.frequency, [](double omega) { return omega * 128.0 >= 2.0 * std::numbers::pi; }));
            Recorder canvas;
            (void)drawn(canvas, {{"d_model", width}, {"length", 128}, {"pair", 0}}, size);
            SCOPED_TRACE(fmt::format("{} × {}, d_model {}", size.width, size.height, width));
            EXPECT_TRUE(canvas.says(fmt::format("{} pairs turn at least once", turning)) ||
                        canvas.says(fmt::format("{} turn once or more", turning)));
            auto scratch = std::make_unique<ui::Scratch>();
            EXPECT_TRUE(
                canvas.says(ui::integer(*scratch, static_cast<std::int64_t>(spectrum.pairs() - turning))));
            EXPECT_TRUE(canvas.says("do not finish a turn"));
            EXPECT_LE(canvas.clocks_drawn.size(), turning);
        }
    Recorder few;
    (void)drawn(few, {{"d_model", 128}}, kSizes[2]);
    EXPECT_EQ(few.clocks_drawn.size(), 64U) << "up to 64 each has a clock";
    EXPECT_FALSE(few.says("do not finish a turn"));
    // In a row so short that none finishes one, the fastest still have clocks.
    Recorder still;
    (void)drawn(still, {{"length", 2}, {"position", 0}, {"offset", 1}}, kSizes[2]);
    EXPECT_EQ(still.clocks_drawn.size(), 16U);
    EXPECT_TRUE(still.says("the 16 fastest of 256 pairs"));
    EXPECT_TRUE(still.says("240 slower pairs do not finish a turn"));
}

TEST(Rotations, AClickInTheStripChoosesAPair) {
    Hand hand("rotations", Scene(), {0.0F, 0.0F, 1280.0F, 800.0F});
    const auto places = figures::rotations::places({0.0F, 0.0F, 1280.0F, 800.0F});
    const Point at{places.small.centre().x, places.small.y1 - 45.0F};
    hand.move(at);
    ASSERT_TRUE(hand.hovered.frequency);
    EXPECT_LT(*hand.hovered.frequency * 128.0, 2.0 * std::numbers::pi);
    hand.press();
    hand.release();
    EXPECT_GE(hand.scene.pair, 84);
    EXPECT_NEAR(static_cast<double>(hand.scene.pair), 170.0, 20.0);
}

// Whatever the hands point at, the angle is named and no word lies on another, on a hand or on a component.
TEST(Rotations, WordsKeepClearOfTheHands) {
    canvas::Typefaces faces;
    int named = 0, drawings = 0;
    for (const char* kind : {"sinusoidal", "rope"})
        for (int position = 400; position < 460; position += 7)
            for (const int offset : {-377, -31, -4, -1, 1, 2, 3, 5, 20, 355}) {
                Recorder canvas;
                canvas.faces = &faces;
                (void)drawn(canvas,
                            {{"encoding", kind},
                             {"d_model", 2},
                             {"num_heads", 1},
                             {"length", 1000},
                             {"position", position},
                             {"offset", offset}},
                            {452.0F, 640.0F});
                ++drawings;
                std::vector<Rect> words;
                for (std::size_t i = 0; i < canvas.texts.size(); ++i)
                    if (canvas.boxes[i].y1 < 380.0F) words.push_back(canvas.boxes[i].grown(-1.0F));
                for (std::size_t i = 0; i < words.size(); ++i)
                    for (std::size_t j = 0; j < i; ++j)
                        EXPECT_FALSE(words[i].meets(words[j]))
                            << kind << " p " << position << " k " << offset << " " << canvas.texts[i] << " "
                            << canvas.texts[j];
                for (std::size_t i = 1; i < canvas.texts.size(); ++i)
                    named += canvas.texts[i] == "ω" && canvas.boxes[i].y1 < 380.0F ? 1 : 0;
            }
    EXPECT_GT(named, drawings * 8 / 10);
}

// A token's column and row, each with a hand of its own; and dragging over the patches moves the token.
TEST(Rotations, EachAxisHasAHandOverItsPatches) {
    const Scene scene = scene_of({{"encoding", {{"kind", "rope_2d"}, {"grid_width", 8}}},
                                  {"d_model", 64},
                                  {"length", 64},
                                  {"position", 18},
                                  {"offset", 3}});
    Hand hand("rotations", scene, {0.0F, 0.0F, 900.0F, 500.0F});
    EXPECT_TRUE(hand.headline.starts_with("Token 18 is at x 2, y 2")) << hand.headline;
    EXPECT_TRUE(hand.canvas.says("x: 2 → 5"));
    EXPECT_TRUE(hand.canvas.says("y: 2 → 2"));
    const Point at = hand.handle("position");
    hand.drag(at, at + Point{48.0F, 0.0F});
    EXPECT_GT(hand.scene.position, 18);
    EXPECT_LT(hand.scene.position, 24) << "in the same row";
}

TEST(Rotations, AnXPosPairShrinksAlongItsSpiral) {
    const Scene scene = scene_of({{"encoding", "xpos"}, {"d_model", 64}, {"pair", 3}, {"offset", 30}});
    const Turning turning = *turning_of(scene);
    auto scratch = std::make_unique<ui::Scratch>();
    const Hand hand("rotations", scene, {0.0F, 0.0F, 600.0F, 500.0F});
    const std::string size(ui::significant(*scratch, turning.size(3, 40, 10), 4));
    EXPECT_NE(hand.headline.find(size + " times as long"), std::string::npos) << hand.headline;
    EXPECT_GT(hand.canvas.line_points, 257U) << "the spiral";
}

TEST(Rotations, TypedPositionsAreTheirTurnings) {
    const Scene scene =
        scene_of({{"encoding", {{"kind", "own"}, {"frequency", "b^(-2i/d)"}, {"position", "sqrt(p)"}}},
                  {"d_model", 16},
                  {"pair", 0},
                  {"position", 9},
                  {"offset", 7}});
    const Hand hand("rotations", scene, {0.0F, 0.0F, 600.0F, 500.0F});
    EXPECT_TRUE(hand.canvas.says("p: 3 → 4"));
    EXPECT_NE(hand.headline.find("rotates by 1ω: 1.000 rad"), std::string::npos) << hand.headline;
}

}  // namespace
}  // namespace posiscope::test::rotations_test
