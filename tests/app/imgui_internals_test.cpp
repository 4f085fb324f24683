// Each function of app/ui/parts/imgui_internals.hpp does what its comment says, with the Dear ImGui that is compiled.
#include "app/platform/gui.hpp"
#include "app/ui/accessible_item.hpp"
#include "app/ui/fonts.hpp"
#include "app/ui/parts/imgui_internals.hpp"

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): ImGui's name
void ImGuiTestEngineHook_ItemInfo(ImGuiContext* context, ImGuiID id, const char* label, int flags);

namespace posiscope::test::imgui_internals_test {
namespace {

// A window of ImGui's own widgets.
struct Bare {
    explicit Bare(bool by_keys = false) {
        fonts = ui::add_fonts(*ImGui::GetIO().Fonts);
        if (by_keys) ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    }
    void frame(const std::function<void()>& draw) {
        gui.begin(600, 400, 1.0F, 0.1F);
        ImGui::SetNextWindowPos({0.0F, 0.0F});
        ImGui::SetNextWindowSize({300.0F, 300.0F});
        ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
        draw();
        ImGui::End();
        gui.end();
    }
    void key(ImGuiKey one, const std::function<void()>& draw) {
        ImGui::GetIO().AddKeyEvent(one, true);
        frame(draw);
        ImGui::GetIO().AddKeyEvent(one, false);
        frame(draw);
    }

    platform::Gui gui{false};
    ui::Fonts fonts{};
};

// The names of the buttons, and the one that has the keyboard.
struct Buttons {
    std::vector<const char*> names{"one", "two", "three"};
    std::string focused = "";
    std::function<void(const char*)> after = [](const char*) {};

    void operator()() {
        focused.clear();
        for (const char* name : names) {
            ImGui::Button(name);
            if (ui::has_keyboard()) focused = name;
            after(name);
        }
    }
};

TEST(ImGuiInternals, TheKeyboardIsOnOneItemAndAnArrowMovesItUnlessSomebodyOwnsIt) {
    Bare bare(true);
    Buttons buttons;
    const auto draw = [&] { buttons(); };
    bare.frame(draw);
    bare.frame(draw);
    EXPECT_EQ(buttons.focused, "") << "it is not shown yet";
    bare.key(ImGuiKey_Tab, draw);
    EXPECT_EQ(buttons.focused, "one");
    bare.key(ImGuiKey_DownArrow, draw);
    EXPECT_EQ(buttons.focused, "two");
    buttons.after = [](const char*) {
        if (ui::has_keyboard()) ui::own_key(ImGuiKey_DownArrow, ImGui::GetItemID());
    };
    bare.frame(draw);
    bare.frame([&] {
        EXPECT_TRUE(ui::focus_owns(ImGuiKey_DownArrow));
        buttons();
    });
    bare.key(ImGuiKey_DownArrow, draw);
    EXPECT_EQ(buttons.focused, "two");
    EXPECT_FALSE(ui::focus_owns(ImGuiKey_UpArrow));
}

TEST(ImGuiInternals, AnotherItemGetsTheKeyboardOfOneThatIsGone) {
    Bare bare(true);
    Buttons buttons;
    const auto draw = [&] { buttons(); };
    bare.frame(draw);
    bare.key(ImGuiKey_Tab, draw);
    EXPECT_FALSE(ui::keyboard_is_lost());
    buttons.names.erase(buttons.names.begin());
    bare.frame(draw);
    EXPECT_TRUE(ui::keyboard_is_lost());
    bare.frame([&] { ui::focus_first_item(), buttons(); });
    bare.frame(draw);
    EXPECT_EQ(buttons.focused, "two");
    EXPECT_FALSE(ui::keyboard_is_lost());

    buttons.names = {"three", "four"};
    buttons.after = [](const char* name) {
        if (name == std::string_view("four")) ui::take_lost_keyboard();
    };
    bare.frame(draw);
    ASSERT_TRUE(ui::keyboard_is_lost());
    bare.frame([&] { ui::focus_first_item(), buttons(); });
    bare.frame(draw);
    EXPECT_EQ(buttons.focused, "four") << "not the first";
    buttons.after = [](const char*) { ui::take_lost_keyboard(); };
    bare.frame(draw);
    EXPECT_EQ(buttons.focused, "four") << "nothing was lost";
}

TEST(ImGuiInternals, AnItemForTheKeyboardAlone) {
    Bare bare(true);
    ui::KeyItem item = ui::KeyItem::none;
    bool pressed = false;
    const auto draw = [&] {
        item = ui::key_item("item", {20.0F, 20.0F, 60.0F, 40.0F});
        pressed = pressed || item == ui::KeyItem::pressed;
        ImGui::SetCursorScreenPos({20.0F, 60.0F});
        ImGui::Button("after it");
        EXPECT_FALSE(ImGui::IsAnyItemHovered()) << "the mouse is over it";
    };
    ImGui::GetIO().AddMousePosEvent(30.0F, 30.0F);
    bare.frame(draw);
    EXPECT_EQ(item, ui::KeyItem::none) << "it is not shown yet";
    bare.key(ImGuiKey_Tab, draw);
    EXPECT_EQ(item, ui::KeyItem::focused);
    EXPECT_FALSE(pressed);
    bare.key(ImGuiKey_Enter, draw);
    EXPECT_TRUE(pressed);
    bare.key(ImGuiKey_Tab, draw);
    EXPECT_EQ(item, ui::KeyItem::none);
    bare.key(ImGuiKey_Tab, draw);
    EXPECT_EQ(item, ui::KeyItem::focused);
    ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    bare.frame(draw);
    EXPECT_EQ(item, ui::KeyItem::none) << "keys do not move between items";
}

TEST(ImGuiInternals, AKeyIsUsedUpOnce) {
    Bare bare;
    const auto hears = [] { return ImGui::IsKeyPressed(ImGuiKey_Escape, false); };
    for (const bool again : {true, false}) {
        ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, true);
        bare.frame([&] {
            EXPECT_TRUE(hears());
            ui::use_up_key(ImGuiKey_Escape);
            EXPECT_FALSE(hears()) << again;
        });
        ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, false);
        bare.frame([] {});
    }
}

TEST(ImGuiInternals, PopupsAndMenus) {
    Bare bare;
    Rect menu;
    const auto draw = [&] {
        if (ImGui::Button("open", {40.0F, 20.0F})) ImGui::OpenPopup("popup");
        ImGui::SetNextWindowPos({100.0F, 100.0F});
        if (!ImGui::BeginPopup("popup")) return;
        ImGui::MenuItem("an item");
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        menu = {low.x, low.y, high.x, high.y};
        ImGui::EndPopup();
    };
    bare.frame(draw);
    EXPECT_EQ(ui::open_popups(), 0);
    bare.frame([&] { ImGui::OpenPopup("popup"), draw(); });
    for (int i = 0; i < 3; ++i) bare.frame(draw);
    EXPECT_EQ(ui::open_popups(), 1);
    EXPECT_NE(ui::menu_at({menu.centre().x, menu.centre().y}), 0U);
    EXPECT_EQ(ui::menu_at({20.0F, 200.0F}), 0U) << "a window that is no menu";
    EXPECT_EQ(ui::menu_at({590.0F, 390.0F}), 0U) << "no window";
}

TEST(ImGuiInternals, TheMouseRestsAndItsEventsWait) {
    Bare bare;
    const auto draw = [] { ImGui::Button("button", {100.0F, 100.0F}); };
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(50.0F, 50.0F);
    bare.frame(draw);
    bare.frame(draw);
    const float before = ui::hovered_for();
    bare.frame(draw);
    EXPECT_NEAR(ui::hovered_for(), before + 0.1F, 1e-4F);
    EXPECT_FALSE(ui::events_wait());
    io.AddKeyEvent(ImGuiKey_A, true);
    io.AddKeyEvent(ImGuiKey_A, false);
    bare.frame(draw);
    EXPECT_TRUE(ui::events_wait()) << "the key goes up in the next frame";
    io.AddMousePosEvent(60.0F, 70.0F);
    ui::rescale_mouse(0.5F);
    EXPECT_EQ(io.MousePos.x, 25.0F);
    for (int i = 0; i < 3; ++i) bare.frame(draw);
    EXPECT_EQ(io.MousePos.x, 30.0F);
    EXPECT_EQ(io.MousePos.y, 35.0F);
    EXPECT_FALSE(ui::events_wait());
}

TEST(ImGuiInternals, AWindowIsScrolledAndAnotherContextFollows) {
    Bare seen;
    float scroll = 0.0F;
    const auto draw = [&] {
        if (ImGui::BeginChild("list", {100.0F, 100.0F})) ImGui::Dummy({10.0F, 300.0F});
        scroll = ImGui::GetScrollY();
        ImGui::EndChild();
    };
    ImGui::GetIO().AddMousePosEvent(50.0F, 50.0F);
    for (int i = 0; i < 3; ++i) seen.frame(draw);
    const ImGuiID list = ui::scrollable_under_mouse();
    ASSERT_NE(list, 0U);
    EXPECT_TRUE(ui::scroll_window(list, 40.0F));
    seen.frame(draw);
    EXPECT_EQ(scroll, 40.0F);
    const ImGuiContext* const context = ImGui::GetCurrentContext();
    {
        Bare other;
        for (int i = 0; i < 2; ++i) other.frame(draw);
        EXPECT_EQ(scroll, 0.0F);
        ui::copy_scroll(*context);
        other.frame(draw);
        EXPECT_EQ(scroll, 40.0F);
    }
    EXPECT_TRUE(ui::scroll_window(list, 1000.0F));
    seen.frame(draw);
    EXPECT_GT(scroll, 150.0F);
    EXPECT_FALSE(ui::scroll_window(list, 1.0F)) << "at its end";
    EXPECT_FALSE(ui::scroll_window(12345, 1.0F)) << "no such window";
    ImGui::GetIO().AddMousePosEvent(200.0F, 200.0F);
    for (int i = 0; i < 2; ++i) seen.frame(draw);
    EXPECT_EQ(ui::scrollable_under_mouse(), 0U);
}

TEST(ImGuiInternals, AFieldShowsTheEndOfALongText) {
    Bare bare;
    std::array<char, 100> text{};
    std::fill_n(text.begin(), 80, 'w');
    ImGuiID field = 0;
    const auto draw = [&] {
        if (field == 0) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(100.0F);
        ImGui::InputText("##field", text.data(), text.size());
        field = ImGui::GetItemID();
    };
    for (int i = 0; i < 3; ++i) bare.frame(draw);
    bare.key(ImGuiKey_Home, draw);
    EXPECT_EQ(ui::field_scroll(field), 0.0F);
    bare.key(ImGuiKey_End, draw);
    EXPECT_GT(ui::field_scroll(field), 200.0F);
    EXPECT_EQ(ui::field_scroll(field + 1), 0.0F) << "none that is typed in";
}

TEST(ImGuiInternals, CharactersOfUtf8) {
    const auto decoded = [](std::string_view text) {
        unsigned character = 0;
        const int bytes = ui::decode_utf8(character, text.data(), text.data() + text.size());
        return std::pair(character, bytes);
    };
    EXPECT_EQ(decoded("×2"), std::pair(0xd7U, 2));
    EXPECT_EQ(decoded("位置"), std::pair(0x4f4dU, 3));
    EXPECT_EQ(decoded("𝜃"), std::pair(0x1d703U, 4)) << "IMGUI_USE_WCHAR32";
    EXPECT_EQ(decoded("\xff").first, 0xfffdU);
    EXPECT_GE(decoded("\xe4\xbd").second, 1);
}

// Small × is drawn as its two diagonals by set_bitmap, after the loader of FreeType has made the glyph.
TEST(ImGuiInternals, GlyphsAreLoadedPaintedOverAndForgotten) {
    Bare bare;
    bare.frame([] {});
    ImFont& font = *bare.fonts[0];
    ImFontBaked* baked = font.GetFontBaked(10.0F);
    const ImFontGlyph& times = *baked->FindGlyph(0xd7);
    const ImTextureData& atlas = *ImGui::GetIO().Fonts->TexData;
    ASSERT_EQ(atlas.Format, ImTextureFormat_RGBA32);
    const auto pixel = [&](float part, int size) {
        return static_cast<int>(std::lround(part * static_cast<float>(size)));
    };
    const int x0 = pixel(times.U0, atlas.Width), y0 = pixel(times.V0, atlas.Height),
              side = pixel(times.U1, atlas.Width) - x0;
    ASSERT_EQ(side, 3);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const auto at = static_cast<std::size_t>(4 * ((y0 + y) * atlas.Width + x0 + x));
            EXPECT_EQ(atlas.Pixels[at + 3], x == y || x + y == side - 1 ? 255 : 0) << x << ", " << y;
        }
    ASSERT_TRUE(baked->IsGlyphLoaded(0xd7));
    ui::forget_glyphs(font);
    EXPECT_FALSE(font.GetFontBaked(10.0F)->IsGlyphLoaded(0xd7));
    EXPECT_TRUE(font.GetFontBaked(10.0F)->FindGlyph(0xd7)->Visible);
}

TEST(ImGuiInternals, LabelsAreHeardWhereAPageTellsThem) {
    Bare bare(true);
    ui::AccessibleItem heard;
    std::vector<std::pair<std::string, Rect>> named;
    heard.named = &named;
    ImGui::GetIO().UserData = &heard;
    ui::announce_labels();
    const auto draw = [&] {
        named.clear();
        ImGui::Button("Save##file");
        ImGuiTestEngineHook_ItemInfo(ImGui::GetCurrentContext(), ImGui::GetItemID(), "Save##file", 0);
        ui::announce_text({500.0F, 0.0F}, "elsewhere");
        ImGui::InvisibleButton("##ours", {50.0F, 20.0F}, ImGuiButtonFlags_EnableNav);
        ImGuiTestEngineHook_ItemInfo(ImGui::GetCurrentContext(), ImGui::GetItemID(), "##ours", 0);
        const ImVec2 at = ImGui::GetItemRectMin();
        ui::announce_text({at.x + 5.0F, at.y + 5.0F}, "Ours");
    };
    bare.frame(draw);
    EXPECT_EQ(heard.role, "") << "nothing has the keyboard";
    bare.key(ImGuiKey_Tab, draw);
    EXPECT_EQ(heard.role, "button");
    EXPECT_EQ(heard.name, "Save");
    bare.key(ImGuiKey_Tab, draw);
    EXPECT_EQ(heard.name, "Ours");
    ASSERT_EQ(named.size(), 2U);
    EXPECT_EQ(named[0].first, "Save");
    EXPECT_EQ(named[1].first, "Ours");
}

}  // namespace
}  // namespace posiscope::test::imgui_internals_test
