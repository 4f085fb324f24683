// The actions alone: a table of toys, pressed.
#include "app/workbench/actions.hpp"

#include "app/platform/gui.hpp"

#include <gtest/gtest.h>
#include <imgui.h>
#include <stdexcept>

namespace posiscope::workbench {
namespace {

using panels::Action;

class ActionsTest : public testing::Test {
protected:
    void frame() {
        gui_.begin(100, 100, 1.0F, 1.0F / 60.0F);
        actions_.press_keys();
        gui_.end();
    }
    void press(ImGuiKey key, bool ctrl = false) {
        if (ctrl) ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
        ImGui::GetIO().AddKeyEvent(key, true);
        frame();
        ImGui::GetIO().AddKeyEvent(key, false);
        if (ctrl) ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
        frame();
    }

    platform::Gui gui_{false};
    int moved_ = 0, opened_ = 0;
    Actions actions_{{
        {.id = "move",
         .key = ImGuiKey_RightArrow,
         .also = {ImGuiKey_M},
         .repeats = true,
         .possible = [] { return false; },
         .perform = [this] { ++moved_; }},
        {.id = "open", .key = ImGuiMod_Ctrl | ImGuiKey_O, .perform = [this] { ++opened_; }},
    }};
};

TEST_F(ActionsTest, AKeyPerformsItsActionAndNoOther) {
    frame();
    press(ImGuiKey_O);
    EXPECT_EQ(opened_, 0) << "without Ctrl it is another key";
    press(ImGuiKey_O, true);
    EXPECT_EQ(opened_, 1);
    press(ImGuiKey_M);
    EXPECT_EQ(moved_, 1) << "its other key";
    EXPECT_FALSE(panels::find_action(actions_.list(), "move").offered()) << "a menu does not offer it";
}

TEST_F(ActionsTest, AHeldKeyRepeatsWhereThatIsMeant) {
    frame();
    ImGui::GetIO().AddKeyEvent(ImGuiKey_RightArrow, true);
    for (int i = 0; i < 60; ++i) frame();
    EXPECT_GT(moved_, 5);
}

TEST_F(ActionsTest, ArrowsBelongToTheControlsAfterTab) {
    frame();
    press(ImGuiKey_Tab);
    press(ImGuiKey_RightArrow);
    EXPECT_EQ(moved_, 0);
    press(ImGuiKey_M);
    EXPECT_EQ(moved_, 1) << "other keys are as they were";
    press(ImGuiKey_Escape);
    press(ImGuiKey_RightArrow);
    EXPECT_EQ(moved_, 2);
}

TEST(ActionTable, KeysThatAreSomebodyElsesAreRefused) {
    const auto with = [](int key, unsigned where = panels::kDesktop | panels::kPage) {
        return std::vector<Action>{{.id = "one", .key = key, .where = where, .perform = [] {}}};
    };
    EXPECT_NO_THROW(Actions{with(ImGuiKey_G)});
    for (const int key :
         {ImGuiMod_Ctrl | ImGuiKey_PageUp, ImGuiMod_Ctrl | ImGuiKey_Q, ImGuiMod_Ctrl | ImGuiKey_W,
          ImGuiMod_Ctrl | ImGuiKey_T, ImGuiMod_Ctrl | ImGuiKey_N, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P,
          ImGuiMod_Ctrl | ImGuiKey_0, ImGuiMod_Ctrl | ImGuiKey_R}) {
        EXPECT_THROW(Actions{with(key)}, std::logic_error) << "a browser keeps " << key;
        EXPECT_NO_THROW(Actions{with(key, panels::kDesktop)}) << key;
    }
    for (const int key :
         {ImGuiKey_PageUp, ImGuiKey_PageDown, ImGuiKey_F5, ImGuiKey_Escape, ImGuiKey_Period, ImGuiKey_B})
        EXPECT_THROW(Actions{with(key, panels::kDesktop)}, std::logic_error) << "a remote sends " << key;
}

TEST(ActionTable, APageHasItsOwnKeysAndLacksWhatABrowserCannot) {
    const auto none = [] {};
    const std::vector<Action> table{
        {.id = "present", .key = ImGuiKey_F5, .on_page = ImGuiKey_P, .perform = none},
        {.id = "quit", .key = ImGuiMod_Ctrl | ImGuiKey_Q, .where = panels::kDesktop, .perform = none},
        {.id = "draw", .key = ImGuiKey_D, .where = panels::kPresenting, .perform = none},
    };
    const Actions desktop(table), page(table, panels::kPage);
    EXPECT_EQ(desktop.list().size(), 3U);
    EXPECT_EQ(desktop.list()[0].key, ImGuiKey_F5);
    ASSERT_EQ(page.list().size(), 2U) << "a page does not quit";
    EXPECT_EQ(page.list()[0].key, ImGuiKey_P);
    EXPECT_EQ(page.list()[1].id, "draw") << "a lecture has its keys everywhere";
    EXPECT_THROW((Actions{{{.id = "one", .key = ImGuiKey_G, .on_page = ImGuiKey_F11, .perform = none}}}),
                 std::logic_error)
        << "a browser keeps F11";
    EXPECT_THROW((Actions{{{.id = "one", .key = ImGuiKey_G, .on_page = ImGuiKey_H, .perform = none},
                           {.id = "two", .key = ImGuiKey_H, .perform = none}}}),
                 std::logic_error);
}

TEST(ActionTable, OneNameAndOneKeyAreOneActions) {
    const auto none = [] {};
    EXPECT_THROW((Actions{{{.id = "one", .perform = none}, {.id = "one", .perform = none}}}),
                 std::logic_error);
    EXPECT_THROW((Actions{{{.id = "one", .key = ImGuiKey_G, .perform = none},
                           {.id = "two", .also = {ImGuiKey_G}, .perform = none}}}),
                 std::logic_error);
    EXPECT_THROW(Actions{{{.id = "nothing"}}}, std::logic_error);
}

}  // namespace
}  // namespace posiscope::workbench
