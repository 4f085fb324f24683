#include "app/ui/parts/imgui_internals.hpp"

#include "app/ui/accessible_item.hpp"

#include <algorithm>
#include <cfloat>
#include <imgui_freetype.h>

#define IMGUI_ENABLE_TEST_ENGINE  // declares the hooks below
#include <imgui_internal.h>

namespace posiscope::ui {

bool has_keyboard() { return ImGui::IsItemFocused() && GImGui->NavCursorVisible; }

void take_lost_keyboard() {
    ImGuiContext& g = *GImGui;
    const bool by_keys = (g.IO.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
    if (!by_keys || (!g.NavInitRequest && g.NavInitResult.ID == 0)) return;
    g.NavInitRequest = false;
    g.NavInitResult.Clear();
    ImGui::SetFocusID(ImGui::GetItemID(), ImGui::GetCurrentWindow());
    g.NavIdIsAlive = true;  // it was drawn before it had the focus
    ImGui::SetNavCursorVisible(true);
}

KeyItem key_item(std::string_view id, Rect area) {
    const ImGuiContext& g = *GImGui;
    if ((g.IO.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) == 0) return KeyItem::none;
    const ImGuiID item = ImGui::GetID(id.data(), id.data() + id.size());
    if (!ImGui::ItemAdd({area.x0, area.y0, area.x1, area.y1}, item) || g.NavId != item) return KeyItem::none;
    if (g.NavActivateId == item) return KeyItem::pressed;
    return g.NavCursorVisible ? KeyItem::focused : KeyItem::none;
}

bool keyboard_is_lost() {
    const ImGuiContext& g = *GImGui;
    const bool gone = g.NavId != 0 && !g.NavIdIsAlive && g.ActiveId == 0 && !g.NavMoveSubmitted;
    const bool with_its_list = g.NavWindow != nullptr && !g.NavWindow->Active;  // that was scrolled
    return gone || with_its_list;
}

void focus_first_item() {
    if (GImGui->NavWindow != nullptr) ImGui::NavInitWindow(GImGui->NavWindow, true);
}

void own_key(ImGuiKey key, ImGuiID owner) { ImGui::SetKeyOwner(key, owner); }

bool focus_owns(ImGuiKey key) { return GImGui->NavId != 0 && ImGui::GetKeyOwner(key) == GImGui->NavId; }

void use_up_key(ImGuiKey key) {
    ImGui::SetKeyOwner(key, ImGui::GetID("used up"), ImGuiInputFlags_LockThisFrame);
}

int open_popups() { return GImGui->OpenPopupStack.Size; }

float hovered_for() { return GImGui->HoveredIdTimer; }

bool events_wait() { return GImGui->InputEventsQueue.Size > 0; }

void rescale_mouse(float by) {
    ImVec2& at = GImGui->IO.MousePos;
    if (ImGui::IsMousePosValid(&at)) at = {at.x * by, at.y * by};
    for (ImGuiInputEvent& event : GImGui->InputEventsQueue) {
        if (event.Type != ImGuiInputEventType_MousePos || event.MousePos.PosX == -FLT_MAX) continue;
        event.MousePos.PosX *= by;
        event.MousePos.PosY *= by;
    }
}

ImGuiID scrollable_under_mouse() {
    const ImGuiWindow* window = GImGui->HoveredWindow;
    while (window != nullptr && window->ScrollMax.y <= 0.0F) window = window->ParentWindow;
    return window != nullptr ? window->ID : 0;
}

ImGuiID menu_at(ImVec2 place) {
    ImGuiWindow *window = nullptr, *under_a_moving_one = nullptr;
    ImGui::FindHoveredWindowEx(place, true, &window, &under_a_moving_one);
    return window != nullptr && window->DC.MenuColumns.TotalWidth > 0 ? window->ID : 0;
}

bool scroll_window(ImGuiID id, float down) {
    ImGuiWindow* const window = ImGui::FindWindowByID(id);
    if (window == nullptr) return false;
    const float to = std::clamp(window->Scroll.y + down, 0.0F, window->ScrollMax.y);
    if (to == window->Scroll.y) return false;
    ImGui::SetScrollY(window, to);
    return true;
}

void copy_scroll(const ImGuiContext& from) {
    for (const ImGuiWindow* window : from.Windows)
        if (ImGuiWindow* own = ImGui::FindWindowByID(window->ID); own != nullptr)
            own->Scroll = window->Scroll;
}

float field_scroll(ImGuiID field) {
    const ImGuiInputTextState* state = ImGui::GetInputTextState(field);
    return state != nullptr ? state->Scroll.x : 0.0F;
}

int decode_utf8(unsigned& character, const char* begin, const char* end) {
    return std::max(1, ImTextCharFromUtf8(&character, begin, end));
}

std::shared_ptr<const ImFontLoader> freetype_loader(LoadGlyph* load) {
    auto made = std::make_shared<ImFontLoader>(*ImGuiFreeType::GetFontLoader());
    made->FontBakedLoadGlyph = load;
    return made;
}

bool load_freetype_glyph(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data,
                         ImWchar character, ImFontGlyph* glyph, float* advance) {
    return ImGuiFreeType::GetFontLoader()->FontBakedLoadGlyph(atlas, source, baked, data, character, glyph,
                                                              advance);
}

bool set_bitmap(ImFontAtlas& atlas, ImFontConfig& source, ImFontBaked& baked, ImFontGlyph& glyph,
                const ImU32* pixels, int side) {
    const ImFontAtlasRectId place = ImFontAtlasPackAddRect(&atlas, side, side);
    if (place == ImFontAtlasRectId_Invalid) return false;
    ImFontAtlasPackDiscardRect(&atlas, glyph.PackId);
    glyph.PackId = place;
    ImFontAtlasBakedSetFontGlyphBitmap(&atlas, &baked, &source, &glyph, ImFontAtlasPackGetRect(&atlas, place),
                                       reinterpret_cast<const unsigned char*>(pixels), ImTextureFormat_RGBA32,
                                       4 * side);
    return true;
}

void forget_glyphs(ImFont& font) { ImFontAtlasFontDiscardBakes(font.ContainerAtlas, &font, 0); }

void announce_labels() { GImGui->TestEngineHookItems = true; }

}  // namespace posiscope::ui

// ImGui tells the labels of its widgets only to what it takes for a test engine, so this is one.
// NOLINTBEGIN(readability-identifier-naming): ImGui's names
void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID, const ImRect&, const ImGuiLastItemData*) {}
void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) { return nullptr; }

void ImGuiTestEngineHook_ItemInfo(ImGuiContext* context, ImGuiID id, const char* label,
                                  ImGuiItemStatusFlags flags) {
    if (context->IO.UserData == nullptr) return;
    const std::string_view whole(label), name = whole.substr(0, whole.find("##"));
    auto& heard = *static_cast<posiscope::ui::AccessibleItem*>(context->IO.UserData);
    const ImRect& box = context->LastItemData.Rect;
    const posiscope::Rect area{box.Min.x, box.Min.y, box.Max.x, box.Max.y};
    if (heard.named != nullptr) heard.named->emplace_back(name, area);
    if (id != context->NavId || !context->NavCursorVisible) return;
    const bool menu =
        (context->CurrentWindow->Flags & (ImGuiWindowFlags_Popup | ImGuiWindowFlags_ChildMenu)) != 0;
    heard.role = (flags & ImGuiItemStatusFlags_Checkable) != 0 ? "checkbox" : menu ? "menuitem" : "button";
    heard.name = name;
    heard.value.clear();
    heard.gathers = name.empty();  // one of ours, on which its name is written
    heard.on = (flags & ImGuiItemStatusFlags_Checked) != 0;
    heard.area = area;
}
// NOLINTEND(readability-identifier-naming)
