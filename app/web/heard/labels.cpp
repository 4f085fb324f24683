// labels.cpp — what ImGui's own widgets are called, menus and buttons among them. It tells their labels only to what it
// takes for a test engine, so this is one; the page alone has it (web.cmake).
#include "app/ui/accessible_item.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <string_view>

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
