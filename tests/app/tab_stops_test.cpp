// What the keyboard reaches: Tab comes to everything that can be pressed, Enter presses it, and the far keys move a slider.
#include "tests/app/desk.hpp"

#include <algorithm>
#include <imgui_internal.h>
#include <vector>

namespace posiscope::test::tab_stops_test {
namespace {

struct Keyboard : Desk {
    using Desk::Desk;

    // The place that has the keyboard.
    Rect stop() const {
        ImGuiContext& g = *ImGui::GetCurrentContext();
        if (g.NavWindow == nullptr || !g.NavIdIsAlive) return {};
        const ImRect at = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[0]);
        return {at.Min.x, at.Min.y, at.Max.x, at.Max.y};
    }
    void tab() {
        key(ImGuiKey_Tab);
        frame();
    }
    std::vector<Rect> stops(int count) {
        std::vector<Rect> all;
        for (int i = 0; i < count; ++i) {
            tab();
            all.push_back(stop());
        }
        return all;
    }
    bool reach(Point place, int most = 90) {
        for (int i = 0; i < most; ++i) {
            tab();
            if (stop().contains(place)) return true;
        }
        return false;
    }
};

TEST(TabStops, TheBarTheTimelineAndEveryTilesMenu) {
    Keyboard desk;
    const std::vector<Rect> stops = desk.stops(90);
    const auto reached = [&](Point place) {
        return std::ranges::any_of(stops, [&](const Rect& one) { return one.contains(place); });
    };
    EXPECT_GE(std::ranges::count_if(stops, [](const Rect& one) { return one.y1 < 50.0F && one.x1 > 0.0F; }),
              8);
    const Rect track = desk.control("timeline");
    EXPECT_TRUE(reached({36.0F, track.centre().y})) << "▶";
    for (const char* figure : {"rotations", "matrix", "sum", "scores"}) {
        const Rect tile = desk.tile(figure);
        EXPECT_TRUE(reached({tile.x1 - 23.0F, tile.y0 + 19.0F})) << figure;
    }
}

// As the bar is read, in every width of a window, and all of it before what is below.
TEST(TabStops, TheBarFromLeftToRight) {
    for (const char* scene : {"{}", R"({"compare": {"base": 500}})"})
        for (const int width : {1600, 1280, 900, 600, 390}) {
            SCOPED_TRACE(std::string(scene) + " at " + std::to_string(width));
            Keyboard desk(overlay(Scene(), Json::parse(scene))->scene, width);
            std::vector<Rect> stops = desk.stops(90);
            const auto of_bar = [](const Rect& one) { return one.y1 < 50.0F && one.x1 > 0.0F; };
            const auto other = std::ranges::find_if_not(stops, of_bar);
            stops.erase(stops.begin(), std::find_if(other, stops.end(), of_bar));
            const auto end = std::ranges::find_if_not(stops, of_bar);
            const std::vector<Rect> bar(stops.begin(), end);
            ASSERT_FALSE(bar.empty());
            EXPECT_TRUE(std::ranges::is_sorted(bar, {}, &Rect::x0));
            EXPECT_LT(bar.front().x0, 20.0F) << "the program's name";
            EXPECT_GT(bar.back().x1, static_cast<float>(width) - 60.0F) << "the last button";
            const auto again = std::find_if(end, stops.end(), of_bar);
            if (again != stops.end()) {
                EXPECT_EQ(again->x0, bar.front().x0) << "not before all others";
            }
        }
}

// The bar, the sidebar, the figures and the timeline; on a telephone the sidebar is below its figure. In each from above.
TEST(TabStops, TheWholeWindowInTheOrderOfReading) {
    for (const char* bench : {"overview", "attention", "positions", "debug"})
        for (const auto& [width, height] : {std::pair{1280, 800}, {390, 844}}) {
            SCOPED_TRACE(std::string(bench) + " at " + std::to_string(width));
            Keyboard desk(overlay(Scene(), {{"bench", bench}})->scene, width, height);
            desk.bench.preferences.lessons_offered = true;
            desk.bench.sizing.fit(width, height, 1.0F);
            if (desk.bench.sizing.upright()) desk.key(ImGuiKey_S);
            desk.frame(3);
            const auto& controls = desk.bench.stage.seen.controls;
            const auto track = std::ranges::find(controls, "timeline", &panels::ControlMark::key);
            const bool timed = track != controls.end();
            const float timeline = timed ? track->area.centre().y - 20.0F : 1e9F;
            std::vector<Rect> tiles;
            for (const auto& tile : desk.bench.layout.tiles()) tiles.push_back(tile.area);
            ASSERT_FALSE(tiles.empty());
            const auto part_of = [&](const Rect& stop) -> std::size_t {
                if (stop.y1 < 50.0F) return 0;
                if (stop.y0 > timeline) return 100;
                for (std::size_t i = 0; i < tiles.size(); ++i)
                    if (tiles[i].contains(stop.centre())) return 2 + i;
                return desk.bench.sizing.upright() ? 99 : 1;
            };
            std::vector<Rect> stops = desk.stops(120);
            while (!stops.empty() && part_of(stops.front()) != 0) stops.erase(stops.begin());
            std::vector<std::size_t> parts;
            for (const Rect& stop : stops) parts.push_back(part_of(stop));
            const auto end = std::adjacent_find(parts.begin(), parts.end(), std::greater<>());
            const std::vector<std::size_t> once(parts.begin(), end == parts.end() ? end : end + 1);
            EXPECT_EQ(once.back() == 100U, timed) << testing::PrintToString(once);
            EXPECT_GE(std::ranges::count(once, desk.bench.sizing.upright() ? 99U : 1U), 3)
                << testing::PrintToString(once);
            EXPECT_TRUE(end == parts.end() || end[1] == 0) << testing::PrintToString(parts);
            for (std::size_t i = 1; i < once.size(); ++i) {
                if (once[i] != once[i - 1] || once[i] == 99) continue;  // the sheet scrolls
                const Rect &before = stops[i - 1], &stop = stops[i];
                EXPECT_TRUE(stop.y1 > before.y0 && (stop.y0 >= before.y1 - 4.0F || stop.x0 >= before.x0 ||
                                                    stop.centre().y > before.centre().y))
                    << "in part " << once[i] << ": " << stop.x0 << ", " << stop.y0 << " after " << before.x0
                    << ", " << before.y0;
            }
        }
}

TEST(TabStops, WordsAndChoicesOfAttentionArePressedByEnter) {
    Keyboard desk(overlay(Scene(), {{"bench", "attention"}, {"d_model", 64}})->scene, 1280, 900);
    ASSERT_TRUE(desk.reach(desk.handle("attention", "word")));
    desk.key(ImGuiKey_Enter);
    desk.frame(2);
    const auto of_words = [&] { return desk.scene().view.value("attention", Json::object()); };
    EXPECT_EQ(of_words().value("word", -1), 0) << desk.scene().view;
    // Alt and an arrow move the word, and the keyboard stays with it.
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Alt, true);
    desk.key(ImGuiKey_RightArrow);
    desk.frame(2);
    const auto order = [&] { return desk.scene().content.parameters.value("order", Json::array()); };
    ASSERT_GE(order().size(), 3U);
    EXPECT_EQ(order()[0], 1);
    EXPECT_EQ(order()[1], 0);
    const Json moved = order();
    desk.key(ImGuiKey_LeftArrow);
    desk.frame(2);
    EXPECT_NE(order(), moved);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Alt, false);
    desk.frame(2);
    const bool causal = desk.scene().causal;
    ASSERT_TRUE(desk.reach(desk.handle("attention", causal ? "both_ways" : "causal")));
    desk.key(ImGuiKey_Enter);
    desk.frame(2);
    EXPECT_NE(desk.scene().causal, causal);
    // The mouse has them still, and at its first press.
    const Point word = desk.handle("attention", "word");
    desk.click(word);
    EXPECT_FALSE(of_words().contains("word")) << desk.scene().view;
}

TEST(TabStops, ChoicesOfPositionsArePressedByEnter) {
    Keyboard desk(
        overlay(Scene(), {{"bench", "positions"}, {"view", {{"ids", {{"kind", "left_padding"}}}}}})->scene);
    const Scene before = desk.scene();
    const auto& handles = desk.bench.stage.seen.handles;
    std::vector<Point> choices;
    for (const figures::HandleMark& mark : handles)
        if (mark.figure == "positions" && mark.handle != "step" && mark.handle != "key")
            choices.push_back(mark.at);
    ASSERT_FALSE(choices.empty());
    for (const Point choice : choices) {
        ASSERT_TRUE(desk.reach(choice));
        desk.key(ImGuiKey_Enter);
        desk.frame(2);
        if (desk.scene() != before) break;
    }
    EXPECT_NE(desk.scene(), before);
}

TEST(TabStops, FarKeysMoveTheSliderThatHasTheKeyboard) {
    Keyboard desk;
    ASSERT_TRUE(desk.reach(desk.control("position").centre()));
    desk.key(ImGuiKey_End);
    const std::int64_t last = desk.scene().position;
    EXPECT_GT(last, 100);
    desk.key(ImGuiKey_PageDown);
    EXPECT_LT(desk.scene().position, last);
    EXPECT_GT(desk.scene().position, last / 2) << "by a tenth of its track";
    desk.key(ImGuiKey_Home);
    EXPECT_EQ(desk.scene().position, 0);
    desk.key(ImGuiKey_PageUp);
    EXPECT_GT(desk.scene().position, 0);
    EXPECT_LT(desk.scene().position, last / 2);
}

}  // namespace
}  // namespace posiscope::test::tab_stops_test
