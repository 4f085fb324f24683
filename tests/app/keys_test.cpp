// The whole table of actions: what keys do, what the manual says of them, and that one frame shows one Scene.
#include "core/formats/file.hpp"
#include "tests/app/desk.hpp"
#include "tests/places.hpp"

#include <array>
#include <imgui.h>

namespace posiscope::test::keys_test {
namespace {

const panels::Action& action(const Desk& desk, std::string_view id) {
    return panels::find_action(desk.bench.actions().list(), id);
}

TEST(Keys, EveryKeyIsInTheManual) {
    const Desk desk;
    std::array<std::string, 2> pages;
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const std::filesystem::path manual = std::filesystem::path(test::kTree) / "assets/manual";
        pages[i] = *read_file(manual / (i == 0 ? "en" : "zh") / "05-keys.md");
        for (char& c : pages[i])
            if (c == '|' || c == '`') c = ' ';
    }
    ui::Scratch scratch;
    const ui::Look look{nullptr, nullptr, &scratch, {}, 1.0F};
    for (const panels::Action& one : desk.bench.actions().list()) {
        if (one.key == 0 || one.id == "quit" || one.id == "normal_size") continue;
        // "Ctrl Z / Y" names Ctrl Y by its last word.
        const std::string name(panels::key_text(look, one.key & ~ImGuiMod_Mask_));
        for (const std::string& keys : pages)
            EXPECT_NE(keys.find(" " + name + " "), std::string::npos) << one.id << ": " << name;
    }
}

TEST(Keys, WhatAPageOffersLeavesTheBrowserItsKeys) {
    const Desk desk;  // the table itself refuses those; here is what a lecture needs
    for (const char* id :
         {"play", "position_forward", "figure_1", "whole_bench", "next_card", "previous_card"})
        EXPECT_NE(action(desk, id).where & panels::kPresenting, 0U) << id;
    for (const char* id : {"quit", "larger", "smaller", "normal_size", "reload"})
        EXPECT_EQ(action(desk, id).where & panels::kPage, 0U) << id;
    for (const char* id : {"full_screen", "present"})
        EXPECT_FALSE(panels::browser_keeps(action(desk, id).on_page)) << id << " has another key there";
}

TEST(Keys, BenchesTurnByCtrlAndAnArrow) {
    Desk desk;
    desk.key(ImGuiKey_RightArrow, true);
    EXPECT_EQ(desk.scene().bench, "shift");
    EXPECT_EQ(desk.scene().position, 10) << "the arrow moves nothing else";
    desk.key(ImGuiKey_LeftArrow, true);
    desk.key(ImGuiKey_LeftArrow, true);
    EXPECT_EQ(desk.scene().bench, workbench::benches().back().id) << "around";
    desk.key(ImGuiKey_PageDown, true);
    EXPECT_EQ(desk.scene().bench, workbench::benches().back().id) << "browsers keep this one";
}

TEST(Keys, TheNextViewIsTheFirstFiguresThatHasSome) {
    Desk desk;
    desk.move({5.0F, 5.0F});
    desk.key(ImGuiKey_F);
    EXPECT_EQ(desk.scene().view["rotations"]["mode"], "definition") << desk.scene().view;
    Desk attention(overlay(Scene(), {{"bench", "attention"}, {"encoding", "rope"}})->scene);
    attention.move({5.0F, 5.0F});
    attention.key(ImGuiKey_F);
    EXPECT_TRUE(attention.scene().view.contains("attention")) << attention.scene().view;
}

// While a hand is dragged, what one frame says is all said of one Scene.
TEST(Keys, AFrameShowsOneScene) {
    Desk desk;
    const Point hand = desk.handle("rotations", "position");
    desk.begin_drag(hand, hand + Point{60.0F, 60.0F}, 4);
    const Scene before = desk.scene();
    desk.move(hand + Point{70.0F, 190.0F});
    ASSERT_NE(desk.scene().position, before.position) << "the drag moves something in this frame";
    const std::vector<std::string> drawn(desk.bench.stage.seen.headlines.begin(),
                                         desk.bench.stage.seen.headlines.end());
    desk.release();
    Desk still(before);
    still.bench.preferences.drag_hint_seen = true;
    still.frame();
    const auto& expected = still.bench.stage.seen.headlines;
    EXPECT_EQ(drawn, std::vector<std::string>(expected.begin(), expected.end()));
}

}  // namespace
}  // namespace posiscope::test::keys_test
