#include "app/workbench/window/mouse.hpp"

#include "app/panels/panel.hpp"
#include "app/ui/parts/imgui_internals.hpp"

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

// An item for the keyboard alone: the mouse belongs to the figure.
figures::KeyStop Field::key_stop(Rect area, std::string_view mark) {
    using figures::KeyStop;
    const ui::KeyItem item = ui::key_item(mark, area);
    if (item == ui::KeyItem::none) return KeyStop::none;
    if (item == ui::KeyItem::pressed) return KeyStop::pressed;
    const bool alt = ImGui::GetIO().KeyAlt;
    if (alt && ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) return KeyStop::earlier;
    if (alt && ImGui::IsKeyPressed(ImGuiKey_RightArrow)) return KeyStop::later;
    return KeyStop::focused;
}

}  // namespace posiscope::workbench
