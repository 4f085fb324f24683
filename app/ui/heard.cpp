#include "app/ui/heard.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::ui {

Heard* heard_of_last(std::string_view role, std::string_view name) {
    auto* const heard = static_cast<Heard*>(ImGui::GetIO().UserData);
    if (heard == nullptr || !ImGui::IsItemFocused() || !ImGui::GetCurrentContext()->NavCursorVisible)
        return nullptr;
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    heard->role = role, heard->name = name;
    heard->value.clear();
    heard->gathers = false;
    heard->area = {from.x, from.y, to.x, to.y};
    return heard;
}

void hear_text(Point at, std::string_view text) {
    auto* const heard = static_cast<Heard*>(ImGui::GetIO().UserData);
    if (heard == nullptr || !heard->gathers || !heard->area.contains(at)) return;
    if (!heard->name.empty()) heard->name += ' ';
    heard->name += text;
}

void hear_tip(std::string_view text) {
    auto* const heard = static_cast<Heard*>(ImGui::GetIO().UserData);
    if (heard != nullptr && heard->gathers && heard->name.empty() && ImGui::IsItemFocused())
        heard->name = text;
}

}  // namespace posiscope::ui

// ImGui's own widgets, menus and buttons among them. It tells their labels only to what it takes for a test engine, which is
// there in a page alone (app/web/web.cmake).
#ifdef IMGUI_ENABLE_TEST_ENGINE
// NOLINTBEGIN(readability-identifier-naming): ImGui's names
void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID, const ImRect&, const ImGuiLastItemData*) {}
void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}
const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID) { return nullptr; }

void ImGuiTestEngineHook_ItemInfo(ImGuiContext* context, ImGuiID id, const char* label,
                                  ImGuiItemStatusFlags flags) {
    if (context->IO.UserData == nullptr || id != context->NavId || !context->NavCursorVisible) return;
    const std::string_view whole(label), name = whole.substr(0, whole.find("##"));
    auto& heard = *static_cast<posiscope::ui::Heard*>(context->IO.UserData);
    const bool menu =
        (context->CurrentWindow->Flags & (ImGuiWindowFlags_Popup | ImGuiWindowFlags_ChildMenu)) != 0;
    heard.role = (flags & ImGuiItemStatusFlags_Checkable) != 0 ? "checkbox" : menu ? "menuitem" : "button";
    heard.name = name;
    heard.value.clear();
    heard.gathers = name.empty();  // one of ours, on which its name is written
    heard.on = (flags & ImGuiItemStatusFlags_Checked) != 0;
    const ImRect& box = context->LastItemData.Rect;
    heard.area = {box.Min.x, box.Min.y, box.Max.x, box.Max.y};
}
// NOLINTEND(readability-identifier-naming)
#endif
