#include "app/ui/accessible_item.hpp"

#include "app/ui/parts/imgui_internals.hpp"
#include "core/mathematics.hpp"

#include <imgui.h>

namespace posiscope::ui {

AccessibleItem* announce_last(std::string_view role, std::string_view name) {
    auto* const heard = static_cast<AccessibleItem*>(ImGui::GetIO().UserData);
    if (heard == nullptr || !has_keyboard()) return nullptr;
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    heard->role = role, heard->name = name;
    heard->value.clear();
    heard->gathers = false;
    heard->area = {from.x, from.y, to.x, to.y};
    return heard;
}

void announce_text(Point at, std::string_view text) {
    auto* const heard = static_cast<AccessibleItem*>(ImGui::GetIO().UserData);
    if (heard != nullptr && heard->named != nullptr && !heard->named->empty()) {
        auto& [name, area] = heard->named->back();  // one of ours, on which its name is written
        if (name.empty() && area.contains(at)) name = text;
    }
    if (heard == nullptr || !heard->gathers || !heard->area.contains(at)) return;
    if (!heard->name.empty()) heard->name += ' ';
    heard->name += text;
}

void announce_tip(std::string_view text) {
    auto* const heard = static_cast<AccessibleItem*>(ImGui::GetIO().UserData);
    if (heard != nullptr && heard->gathers && heard->name.empty() && ImGui::IsItemFocused())
        heard->name = mathematics::plain(text);
}

}  // namespace posiscope::ui
