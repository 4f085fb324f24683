#include "app/workbench/window/mouse.hpp"

#include <imgui.h>
#include <utility>

namespace posiscope::workbench {
namespace {

constexpr float kDragDistance = 3.0F;  // points a press must travel to be a drag

}  // namespace

void Hand::begin(const ui::Look& look, bool presenting) {
    next_link_ = {};
    next_hovered_ = {};
    tip_ = {};
    cursor_ = figures::Cursor::arrow;
    field_.begin(look);
    if (std::exchange(presenting_, presenting) != presenting) rest();
    if (!resting_) return;
    const ImGuiIO& io = ImGui::GetIO();
    const float scale = look.pixels_per_point;
    const Point at{io.MousePos.x * scale, io.MousePos.y * scale},
        room{io.DisplaySize.x * scale, io.DisplaySize.y * scale};
    constexpr float kStill = 2.0F;  // pixels
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) resting_ = false;
    else if (!ImGui::IsMousePosValid(&io.MousePos)) return;
    else if (!rests_at_ || length(room - room_) > kStill)
        rests_at_ = at, room_ = room;  // a window that changes moves it
    else resting_ = length(at - *rests_at_) <= kStill;
}

void Hand::rest() {
    resting_ = true;
    rests_at_.reset();
}

void Hand::end() {
    field_.end();
    if (drag_state_.active() && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) drag_state_ = {};
    changed_ = link_ != next_link_;
    link_ = next_link_;
    hovered_ = next_hovered_;
}

figures::Pointer Hand::pointer_over(const Rect& area, const char* id) {
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::SetNextItemAllowOverlap();
    ImGui::InvisibleButton(id, {std::max(area.width(), 1.0F), std::max(area.height(), 1.0F)});
    const ImGuiIO& io = ImGui::GetIO();
    const bool active = ImGui::IsItemActive();
    const bool hovered = ImGui::IsItemHovered() && !resting_;
    figures::Pointer pointer;
    pointer.at = {io.MousePos.x, io.MousePos.y};
    pointer.inside = hovered || active;
    pointer.down = active;
    pointer.pressed = ImGui::IsItemActivated();
    pointer.released = ImGui::IsItemDeactivated();
    if (pointer.pressed) {
        press_ = pointer.at;
        press_moved_ = false;
    }
    if (active && length(pointer.at - press_) > kDragDistance) press_moved_ = true;
    pointer.moved = press_moved_;
    pointer.double_clicked = hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    pointer.wheel = hovered ? io.MouseWheel : 0.0F;
    pointer.held_before = !active && !pointer.released && (ImGui::IsAnyItemActive() || drag_state_.active());
    return pointer;
}

void Hand::take(const figures::Frame& frame) {
    if (frame.tip.shown()) tip_ = frame.tip;
    if (frame.hovered != figures::Link{}) next_link_ = frame.hovered;
    if (frame.cursor != figures::Cursor::arrow) cursor_ = frame.cursor;
}

}  // namespace posiscope::workbench
