#include "app/panels/guide_parts.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::panels {

std::span<const std::string_view> guide_tab_names() {
    static constexpr std::array<std::string_view, 3> names = {"lessons", "claims", "examples"};
    return names;
}

namespace parts {

void formula(const ui::Look& look, Rect& area, std::string_view formula, float after) {
    if (formula.empty()) return;
    constexpr float kSize = 19.0F, kLeast = 12.0F;
    const LabelMeasure measure(look);
    float size = kSize;
    ui::FormulaBox box = ui::lay_out(formula, size, measure);
    while (box.width > area.width() && size > kLeast) box = ui::lay_out(formula, size -= 0.5F, measure);
    const Point base{area.x0, area.y0 + box.ascent};
    for (const ui::FormulaRun& run : box.runs)
        label(look, base + run.at, run.text, look.theme->ink, run.size, run.face);
    for (const Rect& rule : box.rules)
        fill({base.x + rule.x0, base.y + rule.y0, base.x + rule.x1, base.y + rule.y1}, look.theme->ink, 0.0F);
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::Dummy({std::min(box.width, area.width()), box.ascent + box.descent});
    area.cut_top(box.ascent + box.descent + after);
}

bool begin_box(const ui::Look& look, const char* name, Rect area, Foot foot) {
    const bool right = foot == Foot::right;
    ImGui::SetNextWindowPos({right ? area.x1 - 14.0F : area.centre().x, area.y1 - 14.0F}, ImGuiCond_Always,
                            {right ? 1.0F : 0.5F, 1.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16.0F, right ? 10.0F : 12.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.theme->popup);
    const bool open = ImGui::Begin(name, nullptr,
                                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                       ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                       ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PushStyleColor(ImGuiCol_Button, look.theme->control);
    return open;
}

void end_box() {
    ImGui::PopStyleColor();
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(2);
}

Rect last_item() {
    const ImVec2 at = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
    return {at.x, at.y, end.x, end.y};
}

bool leaves_popup(ImGuiHoveredFlags also) {
    const bool away = !ImGui::IsWindowAppearing() && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                      !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem | also);
    return away || ImGui::IsKeyPressed(ImGuiKey_Escape);
}

void tabs(Panel& panel, GuideView& view, Rect& area) {
    const ui::Look& look = panel.look;
    Rect row = area.cut_top(30.0F);
    if (cross(panel, row.cut_right(30.0F), "guide:close", look.text("guide.close")))
        panel.ask(Verb::close_guide);
    std::array<Segment, 3> list;
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = {look.scratch->format("guide:{}", guide_tab_names()[i]),
                   look.text(look.scratch->format("guide.tab.{}", guide_tab_names()[i]))};
    if (const auto turned = segments(panel, row, list, static_cast<std::size_t>(view.tab)))
        panel.ask(Verb::turn_guide, *turned);
    area.cut_top(12.0F);
}

}  // namespace parts
}  // namespace posiscope::panels
