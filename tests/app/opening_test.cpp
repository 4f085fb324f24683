// The first minute: few clocks, one sentence that asks for a drag, and one click from encoding to encoding.
#include "app/workbench/document/store.hpp"
#include "core/encodings/encodings.hpp"
#include "tests/app/desk.hpp"

namespace posiscope::test::opening_test {
namespace {

constexpr std::string_view kInvitation = "To a Transformer, position 18 is 8 clock hands. Drag one.";

std::string headline(const Desk& desk) {
    const auto& said = desk.bench.stage.seen.headlines;
    return said.empty() ? std::string() : std::string(said.front());
}

TEST(Opening, AsksForADragUntilThereIsOne) {
    Desk desk(workbench::opening_scene());
    EXPECT_EQ(headline(desk), kInvitation);
    EXPECT_LE(desk.bench.layout.tiles().size(), 4U);
    const Point hand = desk.handle("rotations", "position");
    desk.drag(hand, hand + Point{40.0F, 20.0F});
    EXPECT_NE(desk.scene().position, 18);
    EXPECT_EQ(headline(desk).find("Drag"), std::string::npos) << headline(desk);
    EXPECT_NE(headline(desk).find("every hand rotates by 3ω"), std::string::npos) << headline(desk);
}

TEST(Opening, EveryLecturesSwitchIsOneClick) {
    Desk desk(workbench::opening_scene());
    for (const char* kind : {"rope", "alibi", "sinusoidal", "alibi", "rope"}) {
        desk.click(desk.control(std::string("encoding:") + kind).centre());
        desk.frame(2);
        EXPECT_EQ(desk.scene().encoding.kind, kind);
        EXPECT_EQ(desk.scene().position, 18) << "nothing else moves";
        EXPECT_EQ(desk.scene().d_model, 16);
    }
    EXPECT_LT(desk.control("encoding").y0, desk.control("position").y0) << "the first control";
    EXPECT_LT(desk.control("position").y0, desk.control("offset").y0);
    EXPECT_LT(desk.control("offset").y0, desk.control("d_model").y0);
}

TEST(Opening, OneKeyLeadsToThePapersWidthAndBack) {
    Desk desk(workbench::opening_scene());
    const double omega = spectrum_of(desk.scene())->frequency[1];
    desk.key(ImGuiKey_W);
    desk.frame(2);
    EXPECT_EQ(desk.scene().d_model, 512);
    const auto pair = static_cast<std::size_t>(desk.scene().pair);
    EXPECT_NEAR(spectrum_of(desk.scene())->frequency[pair], omega, 0.01 * omega) << "the same clock is large";
    desk.key(ImGuiKey_W);
    desk.frame(2);
    EXPECT_EQ(to_json(desk.scene()), to_json(workbench::opening_scene()));
}

// A figure that has nothing for an encoding keeps its place, with a button that fills it.
TEST(Benches, AnEmptyFigureIsFilledByItsButton) {
    Desk desk(
        overlay(Scene(), {{"encoding", "alibi"}, {"bench", "shift"}, {"d_model", 64}, {"pair", 0}})->scene);
    ASSERT_FALSE(desk.bench.layout.tiles().empty());
    EXPECT_EQ(desk.bench.layout.tiles()[0].figure, "shift");
    desk.click(desk.control("rope:shift").centre());
    EXPECT_EQ(desk.scene().encoding.kind, "rope");
    for (const panels::ControlMark& mark : desk.bench.stage.seen.controls)
        EXPECT_FALSE(mark.key.starts_with("rope:")) << mark.key;
    desk.key(ImGuiKey_Z, true);
    desk.frame(2);
    EXPECT_EQ(desk.scene().encoding.kind, "alibi");
}

// Context brings a model and Positions a row with its slip, as long as nobody has set anything; the next bench has the settings
// from before.
TEST(Benches, ContextAndPositionsOpenWithAnExample) {
    Desk desk(workbench::opening_scene());
    const auto turn = [&](std::string_view bench) {
        desk.bench.navigation.turn_to(bench);
        desk.frame(2);
    };
    turn("context");
    EXPECT_EQ(desk.scene().d_model, 4096);
    EXPECT_TRUE(desk.scene().trained.length);
    EXPECT_EQ(desk.bench.notices.said().size(), 1U);
    turn("positions");
    EXPECT_EQ(desk.scene().view.at("ids").at("kind"), "left_padding");
    turn("overview");
    EXPECT_EQ(to_json(desk.scene()), to_json(workbench::opening_scene()));
    turn("context");
    desk.click(desk.control("encoding:alibi").centre());
    desk.frame(2);
    const Scene changed = desk.scene();
    turn("overview");
    EXPECT_EQ(desk.scene().d_model, changed.d_model) << "somebody changed it: it is theirs";
}

}  // namespace
}  // namespace posiscope::test::opening_test
