// Every control of the set (app/panels/widgets.hpp): Tab reaches it, a frame shows that, it is announced by what it is and what is
// written on it, and Enter presses it.
#include "app/panels/widgets.hpp"
#include "app/platform/gui.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <imgui.h>
#include <map>

namespace posiscope::test::widgets_test {
namespace {

using namespace panels;

struct Bare {
    void frame(const std::function<bool(Panel&)>& draw) {
        gui.begin(600, 400, 1.0F, 1.0F / 60.0F);
        scratch.reset();
        heard = {};
        marks.clear();
        ImGui::GetIO().UserData = &heard;
        ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
        ImGui::SetNextWindowPos({0.0F, 0.0F});
        ImGui::SetNextWindowSize({600.0F, 400.0F});
        ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
        Panel panel{.look = look, .scene = scene, .settled = scene, .typing = typing, .marks = &marks};
        taken = draw(panel) || taken;
        if (panel.next) scene = *panel.next;
        vertices = ImGui::GetWindowDrawList()->VtxBuffer.Size;
        ImGui::End();
        gui.end();
    }
    void key(ImGuiKey one, const std::function<bool(Panel&)>& draw) {
        ImGui::GetIO().AddKeyEvent(one, true);
        frame(draw);
        ImGui::GetIO().AddKeyEvent(one, false);
        frame(draw);
    }

    platform::Gui gui{false};
    Strings strings{Language::english};
    ui::Scratch scratch;
    ui::Look look{&ui::theme("dark"), &strings, &scratch, ui::add_fonts(*ImGui::GetIO().Fonts), 1.0F};
    Scene scene;
    Typing typing;
    ui::AccessibleItem heard;
    std::vector<ControlMark> marks;
    bool taken = false;
    int vertices = 0;
};

constexpr Rect kPlace{20.0F, 20.0F, 220.0F, 50.0F};

TEST(Widgets, EachIsReachedAnnouncedAndPressedByTheKeyboard) {
    struct Kind {
        std::string_view role, name;
        std::function<bool(Panel&)> draw;
    };
    const Kind kinds[] = {
        {"button", "Save", [](Panel& p) { return button(p, kPlace, "id", "Save"); }},
        {"button", "Row",
         [](Panel& p) {
             const bool clicked = flat(p, kPlace, "id").clicked;
             label(p.look, {30.0F, 40.0F}, "Row", p.look.theme->ink);
             return clicked;
         }},
        {"button", "quiet",
         [](Panel& p) {
             return word(p, {30.0F, 40.0F}, panels::Side::left, "id", "quiet");
         }},
        {"button", "Close", [](Panel& p) { return cross(p, kPlace, "id", "Close"); }},
        {"radio", "Keys", [](Panel& p) { return tab(p, kPlace, "id", "Keys", false); }},
        {"radio", "A",
         [](Panel& p) {
             const Segment list[] = {{"a", "A"}, {"b", "B"}};
             return segments(p, kPlace, list, 1) == 0U;
         }},
        {"checkbox", "Linear", [](Panel& p) { return check(p, kPlace, "id", "Linear", false); }},
        {"switch", "Causal",
         [](Panel& p) { return toggle(p, kPlace, "causal", p.scene.causal), p.next.has_value(); }},
    };
    for (const Kind& kind : kinds) {
        SCOPED_TRACE(kind.name);
        Bare bare;
        bare.frame(kind.draw);
        bare.frame(kind.draw);
        EXPECT_EQ(bare.heard.role, "");
        EXPECT_FALSE(bare.marks.empty());
        const int before = bare.vertices;
        bare.key(ImGuiKey_Tab, kind.draw);
        EXPECT_EQ(bare.heard.role, kind.role);
        EXPECT_TRUE(bare.heard.name.starts_with(kind.name)) << bare.heard.name;
        EXPECT_GT(bare.vertices, before) << "no frame around it";
        EXPECT_FALSE(bare.taken);
        bare.key(ImGuiKey_Enter, kind.draw);
        EXPECT_TRUE(bare.taken);
    }
}

TEST(Widgets, OneThatIsImpossibleIsNotPressed) {
    Bare bare;
    const auto draw = [](Panel& p) { return button(p, kPlace, "id", "Stop", {.possible = false}); };
    bare.frame(draw);
    bare.key(ImGuiKey_Tab, draw);
    EXPECT_EQ(bare.heard.name, "Stop");
    bare.key(ImGuiKey_Enter, draw);
    EXPECT_FALSE(bare.taken);
}

TEST(Widgets, WhatIsOnSaysSo) {
    Bare bare;
    const auto draw = [](Panel& p) { return check(p, kPlace, "id", "Linear", true); };
    bare.frame(draw);
    bare.key(ImGuiKey_Tab, draw);
    EXPECT_TRUE(bare.heard.on);
}

}  // namespace
}  // namespace posiscope::test::widgets_test
