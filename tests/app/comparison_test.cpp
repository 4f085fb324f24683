// A against B in use: keep, switch sides, edit B, and go back.
#include "tests/app/desk.hpp"
#include "tests/figures/recorder.hpp"

namespace posiscope::test::comparison_test {
namespace {

Scene rope() {
    Scene s;
    s.encoding = overlay(s, Json{{"encoding", "rope"}})->scene.encoding;
    return s;
}

TEST(Comparison, CKeepsBAndOneUndoTakesItBack) {
    Desk desk(rope());
    desk.key(ImGuiKey_C);
    ASSERT_FALSE(desk.scene().compare.is_null());
    EXPECT_EQ(compared_scene(desk.scene())->encoding, desk.scene().encoding);
    EXPECT_NE(desk.bench.notices.said().front().find("RoPE"), std::string::npos) << "it is said what B is";
    desk.key(ImGuiKey_Z, true);
    EXPECT_TRUE(desk.scene().compare.is_null());
}

TEST(Comparison, WithoutBTheKeysSayWhatIsMissing) {
    Desk desk;
    desk.key(ImGuiKey_V);
    EXPECT_EQ(desk.scene(), Scene());
    ASSERT_FALSE(desk.bench.notices.said().empty());
    EXPECT_NE(desk.bench.notices.said().front().find("no B"), std::string::npos);
}

TEST(Comparison, HoldingTheKeyShowsBAndLettingGoShowsAAgain) {
    Desk desk(rope());
    desk.key(ImGuiKey_C);
    Scene a = desk.scene();
    a.base = 123.0;
    show_sides(a, Sides::a);
    desk.bench.session.open(a);
    const auto headline = [&] { return desk.bench.stage.seen.headlines.front(); };
    desk.frame(2);
    const std::string of_a(headline());
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Backslash, true);
    desk.frame(2);
    const std::string of_b(headline());
    EXPECT_NE(of_b, of_a);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Backslash, false);
    desk.frame(2);
    EXPECT_EQ(headline(), of_a);
    EXPECT_EQ(desk.scene(), a) << "looking changes nothing";
}

// The numbers left of the plot.
std::vector<std::string> ticks(Desk& desk, std::string_view figure, Sides sides) {
    Scene scene = desk.scene();
    show_sides(scene, sides);
    desk.bench.session.open(scene);
    desk.frame(2);
    Recorder recorder;
    desk.frame_of({.controls = false, .figure = figure, .on = &recorder});
    std::vector<std::string> found;
    for (std::size_t i = 0; i < recorder.texts.size(); ++i)
        if (recorder.boxes[i].x1 < 70.0F &&
            recorder.texts[i].find_first_of("0123456789") != std::string::npos)
            found.push_back(recorder.texts[i]);
    return found;
}

// Seen one after the other, A and B have the same axes, so that their curves can be compared by eye.
TEST(Comparison, EachSideAloneHasTheAxesOfBoth) {
    const auto compared = [](std::string_view kind, Json b) {
        Scene a = overlay(Scene(), {{"encoding", kind}, {"content", "seeded"}, {"d_model", 64}})->scene;
        a.compare = std::move(b);
        return a;
    };
    const std::array<std::pair<std::string_view, Scene>, 4> cases = {
        {{"scores", compared("rope", {{"encoding", "alibi"}})},
         {"scores", compared("rope", {{"length", 512}})},
         {"spectrum", compared("rope", {{"base", 1000000.0}})},
         {"layout", compared("rope", {{"base", 100.0}})}}};
    for (const auto& [figure, scene] : cases) {
        Desk desk(scene);
        const auto of_a = ticks(desk, figure, Sides::a);
        EXPECT_GE(of_a.size(), 3U) << figure;
        EXPECT_EQ(of_a, ticks(desk, figure, Sides::b)) << figure;
    }
}

TEST(Comparison, InBTheRailEditsBAndPositionsStayCommon) {
    Desk desk(rope());
    desk.key(ImGuiKey_C);
    Scene shown = desk.scene();
    show_sides(shown, Sides::b);
    desk.bench.session.open(shown);
    desk.frame(2);
    const Rect base = desk.control("base"), position = desk.control("position");
    desk.drag({base.x0 + 0.3F * base.width(), base.centre().y},
              {base.x0 + 0.8F * base.width(), base.centre().y});
    EXPECT_EQ(desk.scene().base, 10000.0) << "A keeps its base";
    EXPECT_GT(desk.scene().compare.at("base").get<double>(), 1e5);
    desk.drag({position.x0 + 0.3F * position.width(), position.centre().y},
              {position.x0 + 0.5F * position.width(), position.centre().y});
    EXPECT_GT(desk.scene().position, 50);
    desk.key(ImGuiKey_X);
    EXPECT_GT(desk.scene().base, 1e5) << "exchanged";
}

TEST(Comparison, BothHandsHaveTheirAnglesInTheHeadline) {
    Desk desk(overlay(rope(), *parse_json(R"({"compare": {"base": 500000}})"))->scene);
    const std::string headline(desk.bench.stage.seen.headlines.front());
    // 3 · 10000^(−20/512) and 3 · 500000^(−20/512)
    EXPECT_NE(headline.find("2.093 rad in A"), std::string::npos) << headline;
    EXPECT_NE(headline.find("1.797 rad in B"), std::string::npos) << headline;
}

}  // namespace
}  // namespace posiscope::test::comparison_test
