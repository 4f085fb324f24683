#include "app/workbench/window/text_field.hpp"

#include "app/panels/panel.hpp"

#include <imgui.h>

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

}  // namespace posiscope::workbench
