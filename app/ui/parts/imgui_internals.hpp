// imgui_internals.hpp — all that we use of Dear ImGui's internals, which may change with each of its versions: no other file includes
// imgui_internal.h (tests/app/tree_test.cpp), and tests/app/imgui_internals_test.cpp holds each function to its comment.
#pragma once

#include "app/ui/geometry.hpp"

#include <imgui.h>
#include <memory>
#include <string_view>

namespace posiscope::ui {

// ---- the keyboard ----------------------------------------------------------------------------------------------

// The last item has the keyboard, and that is shown.
bool has_keyboard();
// The last item gets the keyboard, if the item that had it is gone.
void take_lost_keyboard();
// An item for the keyboard alone: the mouse passes through it.
enum class KeyItem { none, focused, pressed };
KeyItem key_item(std::string_view id, Rect area);
// The item that has the keyboard is no longer drawn, or its list was scrolled away.
bool keyboard_is_lost();
// The first item of the window that has the keyboard gets it.
void focus_first_item();
// A key that would move the keyboard to another item is the owner's in this frame.
void own_key(ImGuiKey key, ImGuiID owner);
// The item that has the keyboard owns this key.
bool focus_owns(ImGuiKey key);
// Nobody hears of this press of a key any more.
void use_up_key(ImGuiKey key);
int open_popups();

// ---- the mouse -------------------------------------------------------------------------------------------------

// Seconds that it has been over the item that it is over.
float hovered_for();
// Events that ImGui has not taken yet: it takes some one a frame.
bool events_wait();
// Moves the mouse, and its events that wait, to the same place once a point has another size.
void rescale_mouse(float by);
// The window under the mouse that can be scrolled down or up, and the open menu at a place; 0: none.
ImGuiID scrollable_under_mouse();
ImGuiID menu_at(ImVec2 place);
// Moves what a window shows, in points, up to its ends; false where it was at the end or there is no such window.
bool scroll_window(ImGuiID window, float down);
// Lists of this context are scrolled as they are in the other.
void copy_scroll(const ImGuiContext& from);

// ---- text ------------------------------------------------------------------------------------------------------

// Points by which the text of a field that is typed in has moved to the left.
float field_scroll(ImGuiID field);
// The bytes of the first character, at least one; U+FFFD stands for what is not UTF-8.
int decode_utf8(unsigned& character, const char* begin, const char* end);
// FreeType's loader of fonts with another function in the place of its own for glyphs, which is the second of these.
using LoadGlyph = bool(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data,
                       ImWchar character, ImFontGlyph* glyph, float* advance);
std::shared_ptr<const ImFontLoader> freetype_loader(LoadGlyph* load);
LoadGlyph load_freetype_glyph;
// Puts another bitmap, white and clear, in a glyph's place. False if the atlas has no room for it.
bool set_bitmap(ImFontAtlas& atlas, ImFontConfig& source, ImFontBaked& baked, ImFontGlyph& glyph,
                const ImU32* pixels, int side);
// All glyphs are drawn anew when they are next needed.
void forget_glyphs(ImFont& font);

// Announces ImGui's own widgets, menus and buttons among them, to the AccessibleItem. Only an ImGui that was compiled with the
// hooks of its test engine, as the page's, tells their labels.
void announce_labels();

}  // namespace posiscope::ui
