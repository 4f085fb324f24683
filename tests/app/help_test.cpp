// The help screen by mouse: every row of the table of the notes' sections opens what it names.
#include "app/figures/figure.hpp"
#include "app/ui/claims.hpp"
#include "tests/app/desk.hpp"

namespace posiscope::test {
namespace {

struct HelpDesk : Desk {
    bool has(std::string_view name) const {
        for (const panels::ControlMark& mark : bench.seen.controls)
            if (mark.key == name) return true;
        return false;
    }
    void open_notes() {
        key(ImGuiKey_F1);
        frame(2);
        click(control("help:notes").centre());
        frame(2);
    }
    // Scrolls until a row is well within the list.
    Rect row(const std::string& name) {
        const auto seen_whole = [&] {
            return has(name) && control(name).y0 > 160.0F && control(name).y1 < 640.0F;
        };
        for (int turns = 0; turns < 200 && !seen_whole(); ++turns) wheel({640.0F, 400.0F}, -1.0F);
        return control(name);
    }
};

TEST(Help, EverySectionOpensWhatItNames) {
    for (const Section& section : ui::known_sections()) {
        if (section.figure.empty()) continue;
        SCOPED_TRACE(section.id);
        HelpDesk desk;
        desk.open_notes();
        const Scene before = desk.scene();
        desk.click(desk.row("section:" + section.id).centre());
        desk.frame(3);
        EXPECT_FALSE(desk.has("help:notes")) << "the help screen closes";
        EXPECT_FALSE(desk.tile(section.figure).empty());
        const figures::Figure& figure = *figures::find_figure(section.figure);
        if (!section.mode.empty()) {
            EXPECT_EQ(figures::mode(figure, desk.scene()), section.mode);
        }
        desk.key(ImGuiKey_Z, true);
        EXPECT_EQ(desk.scene(), before) << "one undo step";
    }
}

TEST(Help, LearningGoalsOpenTheLessons) {
    HelpDesk desk;
    desk.open_notes();
    desk.click(desk.row("section:S4.24").centre());
    desk.frame(3);
    desk.control("clocks");
}

TEST(Tiles, TheNameOfTheViewOpensTheViews) {
    Desk desk;
    desk.click(desk.control("mode:matrix").centre());
    desk.frame(2);
    ASSERT_TRUE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    desk.key(ImGuiKey_Escape);
    EXPECT_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
}

}  // namespace
}  // namespace posiscope::test
