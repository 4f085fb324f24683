// On a telephone's screen nothing that opens is wider than the screen.
#include "tests/app/desk.hpp"

#include <imgui_internal.h>

namespace posiscope::test::narrow_test {
namespace {

struct Telephone : Desk {
    explicit Telephone(bool chinese, int width = 390, int height = 844) : Desk({}, width, height) {
        if (chinese) key(ImGuiKey_L);
        frame(2);
    }
    void expect_whole(const char* what) {
        frame(3);
        const ImGuiContext& context = *ImGui::GetCurrentContext();
        ASSERT_GT(context.OpenPopupStack.Size, 0) << what;
        const ImGuiWindow* window = context.OpenPopupStack.back().Window;
        ASSERT_NE(window, nullptr) << what;
        EXPECT_GE(window->Pos.x, 0.0F) << what;
        const ImVec2 screen = context.IO.DisplaySize;
        EXPECT_LE(window->Pos.x + window->Size.x, screen.x) << what;
        EXPECT_LE(window->Pos.y + window->Size.y, screen.y) << what;
        EXPECT_LE(window->ContentSize.x + 2.0F * window->WindowPadding.x, screen.x) << what;
    }
};

TEST(Telephone, TheExportDialogFits) {
    using Kind = panels::ExportDialog::Kind;
    for (const bool chinese : {false, true}) {
        Telephone desk(chinese);
        desk.key(ImGuiKey_E, true);
        ASSERT_TRUE(desk.bench.sharing.asking.target.dialog().open);
        for (const Kind kind : {Kind::png, Kind::pdf, Kind::svg, Kind::film, Kind::numbers, Kind::code}) {
            desk.bench.sharing.asking.target.dialog().kind = kind;
            SCOPED_TRACE(static_cast<int>(kind));
            desk.expect_whole(chinese ? "Chinese" : "English");
        }
    }
}

TEST(Telephone, HelpFits) {
    for (const bool chinese : {false, true})
        for (const auto& [width, height] : {std::pair{360, 640}, {390, 844}}) {
            Telephone desk(chinese, width, height);
            desk.key(ImGuiKey_F1);
            desk.expect_whole("keys");
            for (const char* page : {"help:manual", "help:notes", "help:tables", "help:keys"}) {
                desk.frame(2);
                const Rect tab = desk.control(page);
                EXPECT_LE(tab.x1, static_cast<float>(width) - 24.0F) << page;
                desk.click(tab.centre());
                desk.expect_whole(page);
            }
        }
}

// It stands below everything, whether the sheet is open or not.
TEST(Telephone, TheFirstOfferHasARoomOfItsOwn) {
    Telephone desk(false);
    desk.bench.sizing.fit(390, 844, 1.0F);
    ASSERT_TRUE(desk.bench.sizing.upright());
    desk.bench.preferences.lessons_offered = false;
    desk.frame(3);
    EXPECT_LE(desk.tile("rotations").y1, desk.control("offer:lesson").y0);
    EXPECT_LE(desk.control("offer:look").x1, 390.0F);
    desk.key(ImGuiKey_S);
    desk.frame(2);
    EXPECT_LE(desk.control("position").y1, desk.control("offer:lesson").y0);
    desk.click(desk.control("offer:lesson").centre());
    desk.frame(2);
    EXPECT_NE(desk.bench.teaching.guide().lesson(), nullptr);
}

// However small the telephone is: the figure of a lesson stays large, and what goes on and back stays in reach below it.
TEST(Telephone, ALessonLeavesItsFigureLarge) {
    for (const auto& [width, height] : {std::pair{360, 640}, {390, 844}, {430, 932}}) {
        SCOPED_TRACE(width);
        Desk desk({}, width, height);
        desk.bench.sizing.fit(width, height, 1.0F);
        desk.bench.session.open(*desk.bench.teaching.begin(std::string("clocks")));
        desk.bench.session.open(*desk.bench.teaching.guide().go_to(2));
        desk.frame(3);
        const Rect tile = desk.tile("rotations");
        EXPECT_GE(tile.height(), 250.0F);
        EXPECT_GE(tile.width(), static_cast<float>(width) - 12.5F);
        const Rect next = desk.control("guide:next");
        EXPECT_LE(next.y1, static_cast<float>(height));
        EXPECT_GT(desk.control("guide:map").y0, tile.y1);
        EXPECT_LE(desk.control("guide:choice0").y1, next.y0) << "an answer is in sight";
    }
}

}  // namespace
}  // namespace posiscope::test::narrow_test
