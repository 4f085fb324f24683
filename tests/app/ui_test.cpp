// Sliders, handles, keys and menus in use.
#include "app/panels/timeline.hpp"
#include "app/ui/fonts.hpp"
#include "app/ui/strings.hpp"
#include "app/ui/text.hpp"
#include "app/workbench/window/overlays.hpp"
#include "tests/app/allocations.hpp"
#include "tests/app/desk.hpp"

#include <imgui_internal.h>
#include <numbers>
#include <set>

namespace posiscope::test::ui_test {
namespace {

TEST(Interface, EverySliderMovesItsValueAndOneDragIsOneStep) {
    for (const char* key : {"position", "offset", "d_model", "length", "base", "pair"}) {
        SCOPED_TRACE(key);
        Desk desk;
        const Json before = to_json(desk.scene());
        const Rect track = desk.control(key);
        desk.drag({track.x0 + 0.30F * track.width(), track.centre().y},
                  {track.x0 + 0.62F * track.width(), track.centre().y});
        EXPECT_NE(to_json(desk.scene())[key], before[key]);
        const Json after = to_json(desk.scene());
        desk.key(ImGuiKey_Z, true);
        EXPECT_EQ(to_json(desk.scene()), before) << "one undo takes the whole drag back";
        desk.key(ImGuiKey_Y, true);
        EXPECT_EQ(to_json(desk.scene()), after);
    }
}

// The GLFW backend writes the window's scale, 1 in X11, into ImGui's before each frame.
TEST(Interface, TheMouseStaysWhereItIsWhateverAPointIs) {
    platform::Gui gui(false);
    ui::add_fonts(*ImGui::GetIO().Fonts);
    ImGuiIO& io = ImGui::GetIO();
    const auto frames = [&](int count, float pixels_per_point) {
        for (int i = 0; i < count; ++i) {
            io.DisplayFramebufferScale = {1.0F, 1.0F};
            gui.begin(1200, 900, pixels_per_point, 1.0F / 60.0F);
            gui.skip();
        }
    };
    frames(2, 2.0F);
    io.AddMousePosEvent(100.0F, 40.0F);
    frames(5, 2.0F);
    EXPECT_EQ(io.MousePos.x, 100.0F);
    EXPECT_EQ(io.MousePos.y, 40.0F);
    frames(5, 1.0F);  // the same pixels
    EXPECT_EQ(io.MousePos.x, 200.0F);
    EXPECT_EQ(io.MousePos.y, 80.0F);
}

// In whole points the spaces of a menu were a tenth too narrow at 125 per cent.
TEST(Interface, MenusHaveTheFacesOwnAdvancesWhereAPointIsNoWholeNumberOfPixels) {
    platform::Gui gui(false);
    const ui::Fonts fonts = ui::add_fonts(*ImGui::GetIO().Fonts);
    gui.begin(600, 400, 1.0F, 1.0F / 60.0F);
    ImFont& font = *fonts[0];
    const auto advance = [&](float density, ImWchar character) {
        font.CurrentRasterizerDensity = density;
        return font.GetFontBaked(16.0F)->GetCharAdvance(character);
    };
    for (const char32_t character : std::u32string_view(U" enty"))
        for (const float density : {0.9F, 1.1F, 1.25F, 1.5F, 1.75F})
            EXPECT_NEAR(advance(density, character), advance(40.5F, character), 0.03F)
                << static_cast<char>(character) << " at " << density;
    EXPECT_EQ(advance(1.0F, ' '), std::round(advance(1.0F, ' '))) << "whole points elsewhere";
    const float width = ui::text_width(font, 16.0F, "a few words");
    font.CurrentRasterizerDensity = 1.25F;
    EXPECT_EQ(ui::text_width(font, 16.0F, "a few words"), width) << "our own words keep their width";
    gui.skip();
}

// At 75 per cent letters that begin on different quarters of a pixel were a pixel apart in height: a density whose last bits differ is
// another size where the product is cut to 1/64 of a pixel.
TEST(Interface, LettersOfAWordHaveOneBaseline) {
    platform::Gui gui(false);
    const ui::Fonts fonts = ui::add_fonts(*ImGui::GetIO().Fonts);
    constexpr std::string_view kLetters = "nnnnnnnnnnnnnnnn";
    for (ImFont* font : fonts)
        for (const float density : {0.25F, 0.5F, 0.75F, 0.8F, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, 2.0F}) {
            gui.begin(1200, 100, 1.0F, 1.0F / 60.0F);  // a frame's list has at most 65,536 corners
            ImDrawList& list = *ImGui::GetForegroundDrawList();
            font->CurrentRasterizerDensity = density;
            for (float size = 7.0F; size <= 24.0F; size += 0.25F) {
                const int begin = list.VtxBuffer.Size;
                ui::draw_text(list, *font, {{10.0F, 50.0F}, size, 0xffffffffU, density}, kLetters);
                std::set<float> heights;
                for (int i = begin; i < list.VtxBuffer.Size; i += 4)
                    heights.insert(std::round(list.VtxBuffer[i + 2].pos.y * density));
                EXPECT_EQ(heights.size(), 1U) << size << " points of " << density << " pixels";
            }
            gui.skip();
        }
}

// Twenty seconds of a held arrow were 400 steps, and pushed out all that there was to undo.
TEST(Interface, AHeldKeyIsOneStep) {
    Desk desk;
    desk.key(ImGuiKey_RightBracket);
    const Json before = to_json(desk.scene());
    ImGui::GetIO().AddKeyEvent(ImGuiKey_RightArrow, true);
    int saved = 0;
    for (int i = 0; i < 120; ++i) {
        desk.frame();
        saved += desk.last.scene_changed ? 1 : 0;
    }
    EXPECT_GT(desk.scene().position, 20);
    EXPECT_EQ(saved, 0) << "not while it is held";
    ImGui::GetIO().AddKeyEvent(ImGuiKey_RightArrow, false);
    desk.frame(1);
    EXPECT_TRUE(desk.last.scene_changed) << "but when it is released";
    desk.frame(2);
    const std::int64_t there = desk.scene().position;
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(to_json(desk.scene()), before) << "one undo takes all of it back";
    desk.key(ImGuiKey_Y, true);
    EXPECT_EQ(desk.scene().position, there);
    desk.key(ImGuiKey_RightArrow);
    desk.key(ImGuiKey_RightArrow);
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene().position, there + 1) << "pressed twice is two";
}

TEST(Interface, ARunOfTheWheelIsOneStepAndAPauseEndsIt) {
    Desk desk;
    const Json before = to_json(desk.scene());
    const Point at = desk.control("position").centre();
    const auto run = [&] {
        for (int i = 0; i < 5; ++i) desk.wheel(at, 1.0F);
    };
    run();
    EXPECT_TRUE(desk.last.ticking) << "a frame follows the pause";
    const Json between = to_json(desk.scene());
    EXPECT_NE(between, before);
    int saved = 0;
    for (int i = 0; i < 60; ++i) {
        desk.frame();
        saved += desk.last.scene_changed ? 1 : 0;
    }
    EXPECT_EQ(saved, 1);
    run();
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(to_json(desk.scene()), between);
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(to_json(desk.scene()), before);
}

TEST(Interface, UndoWhilePlayingGoesBackToWhereItBegan) {
    Desk desk;
    desk.key(ImGuiKey_RightBracket);
    const Json before = to_json(desk.scene());
    desk.key(ImGuiKey_Space);
    desk.frame(120);
    EXPECT_NE(to_json(desk.scene()), before);
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(to_json(desk.scene()), before) << "not to the step before it";
    desk.frame(60);
    EXPECT_EQ(to_json(desk.scene()), before) << "and it stays there";
}

TEST(Interface, DModelStepsByWholePairsOfEveryHead) {
    Desk desk(overlay(Scene(), {{"encoding", "rope"}, {"num_heads", 12}, {"d_model", 768}})->scene, 1280,
              1200);
    const Rect track = desk.control("d_model");
    desk.begin_drag({track.x0 + 0.2F * track.width(), track.centre().y},
                    {track.x0 + 0.9F * track.width(), track.centre().y}, 20);
    EXPECT_EQ(desk.scene().d_model % 24, 0);
    EXPECT_NE(desk.scene().d_model, 768);
    desk.release();
}

TEST(Interface, DependentValuesClampWhileDragging) {
    Desk desk(overlay(Scene(), {{"pair", 200}})->scene);
    const Rect track = desk.control("d_model");
    desk.drag({track.x0 + 0.5F * track.width(), track.centre().y},
              {track.x0 + 0.05F * track.width(), track.centre().y});
    EXPECT_LT(desk.scene().d_model, 16);
    EXPECT_EQ(desk.scene().pair, desk.scene().d_model / 2 - 1);
}

TEST(Interface, EveryHandleDragsWhatItStandsFor) {
    struct Case {
        const char *figure, *handle;
        Point by;
        const char* key;
    };
    for (const Case& one :
         {Case{"rotations", "position", {-60.0F, -50.0F}, "position"},
          Case{"rotations", "offset", {-60.0F, -30.0F}, "offset"},
          Case{"matrix", "position", {0.0F, 60.0F}, "position"},
          Case{"matrix", "offset", {0.0F, 80.0F}, "offset"}, Case{"matrix", "pan", {0.0F, 0.0F}, ""},
          Case{"scores", "offset", {90.0F, 0.0F}, "offset"}, Case{"scores", "shift", {80.0F, 0.0F}, "shift"},
          Case{"scores", "pan", {60.0F, 0.0F}, "view"}}) {
        SCOPED_TRACE(std::string(one.figure) + "." + one.handle);
        Desk desk;
        const Json before = to_json(desk.scene());
        const Point at = desk.handle(one.figure, one.handle);
        desk.begin_drag(at, at + one.by);
        if (*one.key != '\0') {
            EXPECT_NE(to_json(desk.scene())[one.key], before[one.key]);
        }
        desk.release();
        desk.key(ImGuiKey_Z, true);
        EXPECT_EQ(to_json(desk.scene()), before);
    }
}

// Formula, dial and headline speak of one pair.
TEST(Interface, TheDialShowsTheClockUnderTheMouse) {
    Desk desk;
    const Point before = desk.handle("rotations", "position");
    const Rect tile = desk.tile("rotations");
    desk.move({tile.x0 + 60.0F, tile.y1 - 30.0F});  // in the strip
    desk.frame(3);
    ASSERT_TRUE(desk.bench.hand.link().frequency);
    EXPECT_NE(desk.handle("rotations", "position"), before);
    EXPECT_EQ(desk.scene().pair, 10) << "until it is clicked";
    desk.move({tile.x0 + 60.0F, tile.y0 + 10.0F});
    desk.frame(3);
    EXPECT_EQ(desk.handle("rotations", "position"), before);
}

TEST(Interface, NoTipCoversWhatIsDragged) {
    Desk desk;
    const Rect tile = desk.tile("rotations");
    const Point hand = desk.handle("rotations", "offset");
    desk.begin_drag(hand, hand + Point{4.0F, 4.0F}, 1);
    for (float y = tile.y0 + 50.0F; y < tile.y1 - 20.0F; y += 10.0F) {
        desk.move({tile.x0 + 0.7F * tile.width(), y});
        desk.frame();
        EXPECT_EQ(ImGui::GetForegroundDrawList()->VtxBuffer.Size, 0) << y;
    }
    desk.release();
}

TEST(Interface, AHandDraggedOnceAroundIsOneWavelength) {
    Desk desk(overlay(Scene(), {{"pair", 60}, {"position", 50}, {"offset", 20}})->scene);
    // The two hands stand on one circle at angles that core knows: that gives its centre.
    const Spectrum spectrum = *spectrum_of(desk.scene());
    const double wavelength = 2.0 * std::numbers::pi / spectrum.frequency[60];
    const auto dial = [&](std::int64_t position) {
        return 0.25 - phase(spectrum.step[60], position).turns();
    };
    const Point p = desk.handle("rotations", "position"), q = desk.handle("rotations", "offset");
    const float radius =
        length(p - q) / length(on_circle({}, 1.0F, dial(50)) - on_circle({}, 1.0F, dial(70)));
    const Point centre = p - on_circle({}, radius, dial(50));
    desk.move(p);
    desk.press();
    for (int i = 1; i <= 48; ++i) desk.move(on_circle(centre, radius, dial(50) - i / 48.0));  // clockwise
    EXPECT_NEAR(static_cast<double>(desk.scene().position), 50.0 + wavelength, 1.0);
    desk.release();
}

TEST(Interface, TypedValuesAreTakenOrRefusedWithASentence) {
    Desk desk;
    const Rect track = desk.control("d_model");
    const Point value{track.x1 - 10.0F, track.y0 - 20.0F};
    desk.double_click(value);
    ASSERT_EQ(desk.bench.host.typing.key, "d_model");
    desk.frame(2);
    desk.type("511");
    ASSERT_TRUE(desk.bench.host.typing.problem);
    EXPECT_EQ(desk.bench.host.typing.problem->key, "d_model.odd");
    EXPECT_EQ(desk.scene().d_model, 512) << "what was there stays";
    desk.key(ImGuiKey_A, true);
    desk.type("64");
    EXPECT_EQ(desk.scene().d_model, 64);
    EXPECT_TRUE(desk.bench.host.typing.key.empty());
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene().d_model, 512);
}

TEST(Interface, APositionPastTheLengthCanBeTyped) {
    Desk desk;
    const Rect track = desk.control("position");
    desk.double_click({track.x1 - 10.0F, track.y0 - 20.0F});
    desk.frame(2);
    desk.type("2147483644");
    EXPECT_EQ(desk.scene().position, 2147483644);
    EXPECT_EQ(desk.scene().offset, 3);
}

TEST(Interface, AClockUnderTheMouseLightsUpEverywhereAndAClickKeepsIt) {
    Desk desk;
    const Rect tile = desk.tile("rotations");
    // Somewhere in the wall.
    const Point at{tile.x0 + 0.7F * tile.width(), tile.y0 + 0.8F * tile.height()};
    desk.move(at);
    desk.frame();
    ASSERT_TRUE(desk.bench.hand.link().frequency);
    const auto pair = static_cast<std::int64_t>(
        linked_pair(*desk.bench.hand.link().frequency, *spectrum_of(desk.scene())).pair);
    EXPECT_NE(pair, 10);
    desk.click(at);
    EXPECT_EQ(desk.scene().pair, pair);
    desk.move({5.0F, 5.0F});
    desk.frame();
    EXPECT_FALSE(desk.bench.hand.link().frequency);
}

TEST(Interface, HoveringTheMatrixLinksPairAndPosition) {
    Desk desk;
    const Rect tile = desk.tile("matrix");
    desk.move({tile.x0 + 0.3F * tile.width(), tile.y0 + 0.7F * tile.height()});
    desk.frame();
    EXPECT_TRUE(desk.bench.hand.link().frequency);
    EXPECT_TRUE(desk.bench.hand.link().position);
}

TEST(Interface, TheWheelZoomsAndADoubleClickGoesBack) {
    for (const char* figure : {"matrix", "scores"}) {
        SCOPED_TRACE(figure);
        Desk desk;
        const Point at = desk.handle(figure, "pan") + Point{40.0F, 30.0F};
        desk.wheel(at, 3.0F);
        EXPECT_TRUE(desk.scene().view.contains(figure));
        desk.double_click(at);
        EXPECT_FALSE(desk.scene().view.contains(figure));
    }
}

TEST(Interface, LanguageThemeAndScaleChangeAtOnce) {
    Desk desk;
    desk.bench.preferences.drag_hint_seen = true;
    desk.frame();
    EXPECT_EQ(desk.bench.stage.seen.headlines[0],
              "From 10 to 13, every hand rotates by 3ω; pair 10 by 2.093 rad.");
    desk.key(ImGuiKey_L);
    desk.frame();
    EXPECT_EQ(desk.bench.stage.seen.headlines[0], "从 10 到 13，每根指针转过 3ω；第 10 对转过 2.093 弧度。");
    desk.key(ImGuiKey_T);
    EXPECT_EQ(desk.bench.preferences.theme, "light");
    desk.bench.sizing.fit(1920, 1200, 1.0F);
    desk.key(ImGuiKey_Equal, true);
    EXPECT_DOUBLE_EQ(desk.bench.preferences.scale, 1.1);
}

TEST(Interface, KeysMovePositionOffsetAndPair) {
    Desk desk;
    desk.key(ImGuiKey_RightArrow);
    EXPECT_EQ(desk.scene().position, 11);
    desk.key(ImGuiKey_LeftArrow);
    desk.key(ImGuiKey_LeftArrow);
    EXPECT_EQ(desk.scene().position, 9);
    desk.key(ImGuiKey_RightBracket);
    EXPECT_EQ(desk.scene().offset, 4);
    desk.key(ImGuiKey_DownArrow);
    EXPECT_EQ(desk.scene().pair, 11);
    desk.key(ImGuiKey_2);
    EXPECT_EQ(desk.bench.layout.alone(), "matrix");
    EXPECT_EQ(desk.bench.layout.tiles().size(), 1U);
    desk.key(ImGuiKey_0);
    EXPECT_EQ(desk.bench.layout.tiles().size(), 4U);
    desk.key(ImGuiKey_F1);
    EXPECT_TRUE(desk.bench.help.open);
    desk.key(ImGuiKey_Escape);
    EXPECT_FALSE(desk.bench.help.open);
}

TEST(Interface, TabTakesTheKeyboardToTheControlsAndEscapeGivesItBack) {
    Desk desk;
    desk.key(ImGuiKey_Tab);
    desk.key(ImGuiKey_RightArrow);
    EXPECT_EQ(desk.scene().position, 10);
    desk.key(ImGuiKey_Escape);
    desk.key(ImGuiKey_RightArrow);
    EXPECT_EQ(desk.scene().position, 11);
}

TEST(Interface, EscapeClosesOneThing) {
    Desk desk;
    const auto popups = [] { return ImGui::GetCurrentContext()->OpenPopupStack.Size; };
    desk.key(ImGuiKey_2);
    ASSERT_EQ(desk.bench.layout.alone(), "matrix");
    desk.key(ImGuiKey_E, true);
    desk.frame(2);
    ASSERT_EQ(popups(), 1);
    desk.click({640.0F, 150.0F});  // the keyboard leaves the field, or a press beside it closes the dialog
    desk.key(ImGuiKey_E, true);
    desk.frame(2);
    desk.key(ImGuiKey_Tab);
    desk.frame(2);
    ASSERT_EQ(popups(), 1);
    desk.key(ImGuiKey_Escape);
    desk.frame(2);
    EXPECT_EQ(popups(), 0);
    EXPECT_EQ(desk.bench.layout.alone(), "matrix");
    // The keyboard comes back from the controls first.
    desk.key(ImGuiKey_Tab);
    desk.key(ImGuiKey_Escape);
    EXPECT_EQ(desk.bench.layout.alone(), "matrix");
    desk.key(ImGuiKey_Escape);
    EXPECT_EQ(desk.bench.layout.alone(), "");
}

TEST(Interface, DialogsKeepTheirSizeAndPlace) {
    Desk desk;
    const auto popup = [] {
        const ImGuiWindow* window = GImGui->OpenPopupStack.back().Window;
        const ImVec2 at = window->Pos, size = window->Size;
        return Rect{at.x, at.y, at.x + size.x, at.y + size.y};
    };
    using Kind = panels::ExportDialog::Kind;
    desk.key(ImGuiKey_E, true);
    desk.frame(3);
    panels::ExportDialog& exporting = desk.bench.sharing.asking.target.dialog();
    const Rect first = popup();
    for (const Kind kind : {Kind::svg, Kind::film, Kind::numbers, Kind::code, Kind::png}) {
        exporting.kind = kind;
        desk.frame(3);
        EXPECT_EQ(popup(), first) << static_cast<int>(kind);
    }
    exporting.open = false;
    desk.frame(2);
    desk.key(ImGuiKey_F1);
    desk.frame(3);
    const Rect page = popup();
    for (const auto one : {panels::HelpPage::manual, panels::HelpPage::notes, panels::HelpPage::tables}) {
        desk.bench.help.page = one;
        desk.frame(3);
        EXPECT_EQ(popup(), page) << static_cast<int>(one);
    }
}

TEST(Interface, PlayingMovesThePositionAndIsOneStep) {
    Desk desk;
    desk.key(ImGuiKey_Space);
    EXPECT_TRUE(desk.last.animating);
    desk.frame(120);  // two seconds at four positions a second
    desk.key(ImGuiKey_Space);
    EXPECT_NEAR(static_cast<double>(desk.scene().position), 18.0, 1.0);
    desk.frame(2);
    EXPECT_FALSE(desk.last.animating);
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene().position, 10);
}

TEST(Interface, PlayingStartsOverAtTheEnd) {
    Desk desk(overlay(Scene(), {{"length", 12}, {"position", 10}})->scene);
    desk.key(ImGuiKey_Space);
    std::vector<std::int64_t> seen{desk.scene().position};
    for (int i = 0; i < 60; ++i) {  // a second at four positions a second
        desk.frame();
        if (desk.scene().position != seen.back()) seen.push_back(desk.scene().position);
    }
    EXPECT_EQ(seen, (std::vector<std::int64_t>{10, 11, 0, 1, 2}));
}

// Hands are drawn between positions unless somebody wants no motion; where nothing plays they are at the position.
TEST(Interface, MotionIsSmoothWhilePlayingIfWanted) {
    Scene scene;
    panels::Playing playing;
    EXPECT_EQ(playing.fractional_position(), 0.0);
    playing.on = true;
    panels::advance(playing, scene, 0.125);  // at four positions a second
    EXPECT_EQ(scene.position, 10);
    EXPECT_EQ(playing.fractional_position(), 0.5);
    playing.smooth = false;
    EXPECT_EQ(playing.fractional_position(), 0.0);
    playing.smooth = true;
    playing.on = false;
    EXPECT_EQ(playing.fractional_position(), 0.0);
}

TEST(Interface, ATipStandsBesideTheCellsItWouldHide) {
    const Point window{1280.0F, 800.0F}, size{200.0F, 60.0F};
    const Rect cells{500.0F, 100.0F, 800.0F, 400.0F};
    for (const Point mouse : {Point{520.0F, 200.0F}, Point{790.0F, 390.0F}, Point{650.0F, 110.0F}}) {
        const Rect box = workbench::tip_box(mouse, window, size, cells);
        EXPECT_FALSE(box.meets(cells));
        EXPECT_TRUE(box.x0 >= 0.0F && box.y0 >= 0.0F && box.x1 <= window.x && box.y1 <= window.y);
        EXPECT_FALSE(workbench::tip_box(mouse, window, size, {}).contains(mouse));
    }
    const Rect all{10.0F, 10.0F, 1270.0F, 790.0F};
    EXPECT_FALSE(workbench::tip_box({640.0F, 300.0F}, window, size, all).contains({640.0F, 300.0F}))
        << "without room beside them it follows the mouse";
}

TEST(Interface, PlayingOnceStopsAtTheEnd) {
    Scene scene = overlay(Scene(), {{"length", 12}, {"position", 10}})->scene;
    panels::Playing playing;
    playing.on = true;
    playing.loop = false;
    for (int i = 0; i < 8; ++i) panels::advance(playing, scene, 0.25);
    EXPECT_EQ(scene.position, 11);
    EXPECT_FALSE(playing.on);
    // Past the length, where a typed position may be, it stays where it was put.
    scene.position = 100;
    playing.on = true;
    panels::advance(playing, scene, 0.25);
    EXPECT_EQ(scene.position, 100);
    EXPECT_FALSE(playing.on);
}

TEST(Interface, DividersMoveAndAreRemembered) {
    Desk desk;
    const Rect rotations = desk.tile("rotations");
    const Point between{rotations.x1 + 6.0F, rotations.centre().y};
    desk.drag(between, between + Point{80.0F, 0.0F});
    EXPECT_NEAR(desk.tile("rotations").x1, rotations.x1 + 80.0F, 8.0F);
    EXPECT_FALSE(desk.bench.preferences.splits.empty());
    EXPECT_EQ(desk.scene(), Scene()) << "the layout is no part of the Scene";
}

TEST(Interface, DoubleClickOnATitleShowsThatFigureAlone) {
    Desk desk;
    const Rect tile = desk.tile("scores");
    desk.double_click({tile.x0 + 30.0F, tile.y0 + 20.0F});
    EXPECT_EQ(desk.bench.layout.alone(), "scores");
}

TEST(Interface, ScenesTravelOverTheClipboard) {
    Desk desk(overlay(Scene(), {{"position", 77}})->scene);
    desk.key(ImGuiKey_C, true);
    const std::string copied = ImGui::GetClipboardText();
    EXPECT_EQ(overlay(Scene(), *parse_json(copied))->scene, desk.scene());
    ImGui::SetClipboardText(R"({"d_model": 64, "offset": -5})");
    desk.key(ImGuiKey_V, true);
    EXPECT_EQ(desk.scene().d_model, 64);
    EXPECT_EQ(desk.scene().offset, -5);
    EXPECT_EQ(desk.scene().position, 77) << "a partial scene leaves the rest";
    ImGui::SetClipboardText(R"({"d_model": 63})");
    desk.key(ImGuiKey_V, true);
    EXPECT_EQ(desk.scene().d_model, 64);
}

TEST(Interface, WhatChangesNothingIsSaidInTheRail) {
    Desk plain;
    for (const panels::ControlMark& mark : plain.bench.stage.seen.controls) EXPECT_NE(mark.key, "note");
    Desk desk(overlay(Scene(), {{"encoding", {{"kind", "sinusoidal"}, {"padding_idx", 1}}}})->scene);
    const Rect note = desk.control("note");
    EXPECT_GT(note.height(), 20.0F) << "it is wrapped into the rail's width";
    EXPECT_LT(note.y1, desk.control("position").y0);
}

TEST(Interface, AModelsNotesStayWhileItsSettingsDo) {
    Desk desk(overlay(Scene(), {{"encoding", "rope"}})->scene);
    desk.bench.notes.set_origin({{"model.unverified", {{"name", "x"}, {"confidence", "a guess"}}}},
                                desk.scene().encoding);
    desk.frame(2);
    (void)desk.control("note");
    desk.key(ImGuiKey_RightArrow);
    (void)desk.control("note");
    desk.bench.session.open(overlay(Scene(), {{"encoding", "alibi"}})->scene);
    desk.frame(2);
    for (const panels::ControlMark& mark : desk.bench.stage.seen.controls) EXPECT_NE(mark.key, "note");
}

// What fails is a figure's own: the rest is drawn, and the next frame has it back.
// With which scaling the weights were trained is said in a menu: without one, with the present one, or as now.
TEST(Interface, WhatTheWeightsWereTrainedWithIsChosen) {
    const Json linear = {{"rope_type", "linear"}, {"factor", 4.0}};
    Desk desk(overlay(Scene(), {{"bench", "context"},
                                {"base", 500000.0},
                                {"encoding", {{"kind", "rope"}, {"rope_scaling", linear}}}})
                  ->scene);
    const auto choose = [&](int entry) {
        const Rect menu = desk.control("trained");
        desk.click(menu.centre());
        desk.frame(2);
        desk.click({menu.x0 + 40.0F, menu.y1 + 28.0F + 44.0F * static_cast<float>(entry)});
        desk.frame(2);
    };
    choose(0);
    EXPECT_EQ(desk.scene().trained.scene.at("base"), 500000.0);
    EXPECT_FALSE(desk.scene().trained.scene.at("encoding").contains("rope_scaling"));
    choose(1);
    EXPECT_EQ(desk.scene().trained.scene.at("encoding").at("rope_scaling"), linear);
    choose(2);
    EXPECT_EQ(desk.scene().trained.scene, Json::object());
    desk.key(ImGuiKey_Z, true);
    EXPECT_EQ(desk.scene().trained.scene.at("encoding").at("rope_scaling"), linear);
}

TEST(Interface, AFigureWithoutMemoryCostsItsOwnPicture) {
    Desk desk;
    const std::size_t all = desk.bench.stage.seen.headlines.size();
    desk.bench.session.open(overlay(Scene(), {{"length", 100000}})->scene);
    {
        const ScarceMemory scarce(8192);  // the spectrum fits, curves and arrows do not
        desk.frame(2);
        EXPECT_GT(scarce.refusals(), 0U);
    }
    desk.frame();
    EXPECT_EQ(desk.bench.stage.seen.headlines.size(), all);
}

// Whatever the window's size, the tiles lie within it and not on one another, a key still works, and a window
// that grows shows what it would have shown at once.
TEST(Interface, SmallAndLargeWindowsHold) {
    for (const auto& [width, height] :
         {std::pair{1, 1}, std::pair{480, 360}, std::pair{3840, 2160}, std::pair{800, 200}}) {
        SCOPED_TRACE(fmt::format("{} × {}", width, height));
        Desk desk({}, width, height);
        desk.frame(3);
        EXPECT_EQ(desk.scene(), Scene());
        const auto tiles = desk.bench.layout.tiles();
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            const Rect area = tiles[i].area;
            EXPECT_GE(area.x0, 0.0F) << tiles[i].figure;
            EXPECT_GE(area.y0, 0.0F) << tiles[i].figure;
            if (width >= 480 && height >= 360) {
                EXPECT_GT(area.width(), 40.0F) << tiles[i].figure;
                EXPECT_GT(area.height(), 40.0F) << tiles[i].figure;
                EXPECT_LE(area.x1, static_cast<float>(width)) << tiles[i].figure;
                EXPECT_LE(area.y1, static_cast<float>(height)) << tiles[i].figure;
            }
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_FALSE(area.meets(tiles[j].area)) << tiles[i].figure << " lies on " << tiles[j].figure;
        }
        desk.key(ImGuiKey_RightArrow);
        EXPECT_EQ(desk.scene().position, Scene().position + 1);
    }
}

}  // namespace
}  // namespace posiscope::test::ui_test
