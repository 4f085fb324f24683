#include "app/panels/panel.hpp"

#include "app/ui/accessible_item.hpp"
#include "app/ui/parts/imgui_internals.hpp"
#include "app/ui/text.hpp"
#include "core/scene/settings.hpp"

#include <imgui.h>

namespace posiscope::panels {

std::string_view Panel::said(std::string_view key, std::string_view part) const {
    const std::string_view kind = key.starts_with("encoding.")  ? scene.encoding.kind
                                  : key.starts_with("content.") ? scene.content.kind
                                                                : std::string_view();
    return look.strings->parameter(key, kind, part);
}

Result<Overlaid> Panel::with(std::string_view key, const Json& value) const {
    const Scene& from = next ? *next : held ? settled : scene;
    return overlay(from, partial_from_value(from, key, value));
}

std::optional<Problem> Panel::set(std::string_view key, const Json& value) {
    auto laid = with(key, value);
    if (!laid) return laid.error();
    next = std::move(laid->scene);
    adjusted.insert(adjusted.end(), laid->adjusted.begin(), laid->adjusted.end());
    return std::nullopt;
}

bool by_finger() { return ImGui::GetIO().MouseSource == ImGuiMouseSource_TouchScreen; }

MenuRows::MenuRows() {
    const ImVec2 own = ImGui::GetStyle().ItemSpacing;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, by_finger() ? ImVec2{own.x, 16.0F} : own);
}
MenuRows::~MenuRows() { ImGui::PopStyleVar(); }

void label(const ui::Look& look, Point at, std::string_view text, ui::Colour colour, float size,
           ui::Face face, Side side) {
    ImFont* const font = look.fonts[static_cast<std::size_t>(face)];
    ui::announce_text(at, text);
    if (side != Side::left) at.x -= label_width(look, text, size, face) * (side == Side::right ? 1.0F : 0.5F);
    ui::draw_text(*ImGui::GetWindowDrawList(), *font, {at, size, colour, look.pixels_per_point}, text);
}

float label_width(const ui::Look& look, std::string_view text, float size, ui::Face face) {
    return ui::text_width(*look.fonts[static_cast<std::size_t>(face)], size, text);
}

ImDrawList& draw_list() { return *ImGui::GetWindowDrawList(); }

void fill(Rect r, ui::Colour colour, float rounding) {
    draw_list().AddRectFilled({r.x0, r.y0}, {r.x1, r.y1}, colour, rounding);
}

void outline(Rect r, ui::Colour colour, float rounding) {
    draw_list().AddRect({r.x0, r.y0}, {r.x1, r.y1}, colour, rounding);
}

void rule(const ui::Look& look, Rect& area, float below) {
    fill({area.x0, area.y0, area.x1, area.y0 + 1.0F}, look.theme->border);
    area.cut_top(below);
}

void tooltip(const ui::Look& look, std::string_view title, std::string_view text) {
    ui::announce_tip(title.empty() ? text : title);
    // It would cover what is being dragged, and what was, as long as the mouse stays there.
    const ImGuiIO& io = ImGui::GetIO();
    const double released = ImGui::GetTime() - io.MouseReleasedTime[ImGuiMouseButton_Left];
    if (io.MouseDown[ImGuiMouseButton_Left] || released < static_cast<double>(ui::hovered_for())) return;
    // Only for the mouse: under the keyboard's control it would cover what a lesson answers.
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_DelayNormal |
                              ImGuiHoveredFlags_NoNavOverride))
        return;
    if (!ImGui::BeginTooltip()) return;
    if (!title.empty()) {
        ImGui::PushFont(look.fonts[1], 0.0F);
        ImGui::TextUnformatted(title.data(), title.data() + title.size());
        ImGui::PopFont();
    }
    prose(look, text, 320.0F, look.theme->ink);
    ImGui::EndTooltip();
}

void line_of_text(const ui::Look& look, Point at, std::string_view line, ui::Colour colour, float size,
                  ui::Numbers numbers) {
    ui::set_line(LabelMeasure(look), line, ui::Face::text, size, numbers,
                 [&](float x, float drop, std::string_view piece, ui::Face face, float piece_size) {
                     label(look, {at.x + x, at.y + drop}, piece, colour, piece_size, face);
                 });
}

void prose(const ui::Look& look, std::string_view text, float width, ui::Colour colour, float size,
           ui::Numbers numbers) {
    const float line_height = 1.3F * size;  // 1.5 of the square of a Chinese character
    const LabelMeasure measure(look);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float y = 0.0F, widest = 0.0F;
    for (std::string_view rest = text; !rest.empty(); y += line_height) {
        const std::string_view line =
            rest.substr(0, ui::line_end(measure, rest, ui::Face::text, size, width, numbers));
        rest.remove_prefix(line.size());
        widest = std::max(widest, ui::line_width(measure, line, ui::Face::text, size, numbers));
        line_of_text(look, {corner.x, corner.y + y + size}, line, colour, size, numbers);
    }
    ImGui::Dummy({std::min(widest, width), y});
}

void say(const ui::Look& look, Rect& area, std::string_view text, ui::Colour colour, float after,
         ui::Numbers numbers, float size) {
    if (text.empty()) return;
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    prose(look, text, area.width(), colour, size, numbers);
    area.cut_top(ImGui::GetItemRectSize().y + after);
}

float message(const ui::Look& look, Rect area, std::string_view text, ui::Colour mark, bool quiet) {
    const ImVec2 cursor = ImGui::GetCursorScreenPos();
    Rect words{area.x0 + 10.0F, area.y0, area.x1, area.y0 + 1e4F};
    say(look, words, text, quiet ? look.theme->ink_soft : look.theme->ink, 0.0F, ui::Numbers::plain,
        ui::kSmallSize);
    ImGui::SetCursorScreenPos(cursor);
    fill({area.x0, area.y0 + 2.0F, area.x0 + 3.0F, words.y0 + 2.0F}, mark, 1.5F);
    return words.y0 - area.y0 + 10.0F;
}

Rect number_row(const ui::Look& look, Rect& area, std::string_view name, std::string_view value,
                std::string_view unit, bool wrong) {
    constexpr float kName = 14.5F, kValue = 15.0F;
    const Rect line = area.cut_top(21.0F);
    const float base = line.y0 + 14.0F;
    label(look, {line.x0, base}, name, look.theme->ink_soft, kName);
    label(look, {line.x1, base}, unit, look.theme->ink_soft, ui::kSmallSize, ui::Face::text, Side::right);
    const float right = line.x1 - (unit.empty() ? 0.0F : label_width(look, unit, ui::kSmallSize) + 6.0F);
    const ui::Face face = wrong ? ui::Face::strong : ui::Face::text;
    label(look, {right, base}, value, look.theme->ink, kValue, face, Side::right);
    if (wrong)
        draw_list().AddCircleFilled({right - label_width(look, value, kValue, face) - 11.0F, line.y0 + 9.0F},
                                    4.0F, look.theme->beyond);
    return line;
}

}  // namespace posiscope::panels
