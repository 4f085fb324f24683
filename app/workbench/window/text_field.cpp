#include "app/workbench/window/mouse.hpp"

#include "app/panels/panel.hpp"

#include <imgui.h>
#include <imgui_internal.h>

namespace posiscope::workbench {

std::optional<std::string_view> Field::edit(Rect area, std::string_view text, std::string_view hint,
                                            std::string_view help) {
    if (!active_) {
        const std::size_t size = std::min(text.size(), text_.size() - 1);
        std::copy_n(text.begin(), size, text_.begin());
        text_[size] = '\0';
    }
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::SetNextItemWidth(area.width());
    ImGui::PushStyleColor(ImGuiCol_FrameBg, look_->theme->control);
    ImGui::InputTextWithHint("##text", look_->c(hint), text_.data(), text_.size());
    ImGui::PopStyleColor();
    const bool left = ImGui::IsItemDeactivated();
    reverted_ = reverted_ || (left && ImGui::IsKeyPressed(ImGuiKey_Escape));
    active_ = ImGui::IsItemActive();
    drawn_ = true;
    panels::tooltip(*look_, {}, help);
    if (!active_ && !left) return std::nullopt;
    return std::string_view(text_.data());
}

// An item for the keyboard alone: the mouse belongs to the figure.
figures::KeyStop Field::key_stop(Rect area, std::string_view mark) {
    using figures::KeyStop;
    ImGuiContext& g = *GImGui;
    if ((g.IO.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) == 0) return KeyStop::none;
    const ImGuiID id = ImGui::GetID(mark.data(), mark.data() + mark.size());
    if (!ImGui::ItemAdd({area.x0, area.y0, area.x1, area.y1}, id) || g.NavId != id) return KeyStop::none;
    if (g.NavActivateId == id) return KeyStop::pressed;
    if (!g.NavCursorVisible) return KeyStop::none;
    if (g.IO.KeyAlt && ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) return KeyStop::earlier;
    if (g.IO.KeyAlt && ImGui::IsKeyPressed(ImGuiKey_RightArrow)) return KeyStop::later;
    return KeyStop::focused;
}

}  // namespace posiscope::workbench
