#include "app/panels/guide_parts.hpp"

#include "app/ui/parts/imgui_internals.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::panels {

std::span<const std::string_view> guide_tab_names() {
    static constexpr std::array<std::string_view, 3> names = {"lessons", "claims", "examples"};
    return names;
}

namespace parts {

ImDrawList& draw_list() { return *ImGui::GetWindowDrawList(); }

void fill(Rect r, ui::Colour colour, float rounding) {
    draw_list().AddRectFilled({r.x0, r.y0}, {r.x1, r.y1}, colour, rounding);
}
void outline(Rect r, ui::Colour colour, float rounding) {
    draw_list().AddRect({r.x0, r.y0}, {r.x1, r.y1}, colour, rounding);
}

void rule(const ui::Look& look, Rect& area) {
    fill({area.x0, area.y0, area.x1, area.y0 + 1.0F}, look.theme->border, 0.0F);
    area.cut_top(12.0F);
}

void say(const ui::Look& look, Rect& area, std::string_view text, ui::Colour colour, float after,
         ui::Numbers numbers, float size) {
    if (text.empty()) return;
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    prose(look, text, area.width(), colour, size, numbers);
    area.cut_top(ImGui::GetItemRectSize().y + after);
}

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

Pressed press(Panel& panel, Rect area, std::string_view id, bool by_tab) {
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::PushID(id.data(), id.data() + id.size());
    const bool clicked =
        ImGui::InvisibleButton("##press", {std::max(1.0F, area.width()), std::max(1.0F, area.height())},
                               by_tab ? ImGuiButtonFlags_EnableNav : ImGuiButtonFlags_None);
    const bool hovered = ImGui::IsItemHovered();
    if (ui::has_keyboard()) outline(area.grown(1.5F), panel.look.theme->cosine, 6.0F);
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    panel.mark(id, area);
    ImGui::PopID();
    return {clicked, hovered};
}

bool button(Panel& panel, Rect area, std::string_view id, std::string_view text, bool primary) {
    const ui::Theme& theme = *panel.look.theme;
    const Pressed pressed = press(panel, area, id);
    const ui::Colour ground = primary ? theme.ink : pressed.hovered ? theme.pressed : theme.control;
    fill(area, ground, 6.0F);
    label(panel.look, {area.centre().x, area.centre().y + 5.0F}, text, primary ? theme.rail : theme.ink,
          ui::kTextSize, ui::Face::text, Side::centre);
    return pressed.clicked;
}

bool word(Panel& panel, Point right_or_left, Side side, std::string_view id, std::string_view text) {
    const ui::Look& look = panel.look;
    const float width = label_width(look, text, 14.5F);
    const float x = side == Side::right ? right_or_left.x - width : right_or_left.x;
    const Rect area{x - 4.0F, right_or_left.y - 15.0F, x + width + 4.0F, right_or_left.y + 7.0F};
    const Pressed pressed = press(panel, area, id);
    label(look, {x, right_or_left.y}, text, pressed.hovered ? look.theme->ink : look.theme->ink_soft, 14.5F);
    return pressed.clicked;
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
    const ui::Theme& theme = *look.theme;
    Rect row = area.cut_top(30.0F);
    const Rect cross = row.cut_right(30.0F);
    if (press(panel, cross, "guide:close").clicked) panel.ask(Verb::close_guide);
    label(look, {cross.x1 - 6.0F, cross.y0 + 21.0F}, "×", theme.ink_soft, kTitleSize, ui::Face::text,
          Side::right);
    tooltip(look, {}, look.text("guide.close"));
    fill(row, theme.control, 7.0F);
    const std::span<const std::string_view> names = guide_tab_names();
    const float third = row.width() / static_cast<float>(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Rect place = row.cut_left(third);
        const bool here = static_cast<std::size_t>(view.tab) == i;
        const Pressed pressed = press(panel, place, look.scratch->format("guide:{}", names[i]));
        if (here) {
            fill(place.grown(-2.0F), theme.border, 6.0F);
            fill(place.grown(-3.0F), theme.tile, 5.0F);
        }
        label(look, {place.centre().x, place.centre().y + 5.0F},
              look.text(look.scratch->format("guide.tab.{}", names[i])),
              here || pressed.hovered ? theme.ink : theme.ink_soft, ui::kTextSize, ui::Face::text,
              Side::centre);
        if (pressed.clicked) panel.ask(Verb::turn_guide, i);
    }
    area.cut_top(12.0F);
}

}  // namespace parts
}  // namespace posiscope::panels
