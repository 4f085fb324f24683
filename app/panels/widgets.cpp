#include "app/panels/widgets.hpp"

#include "app/ui/parts/imgui_internals.hpp"

#include <imgui.h>

namespace posiscope::panels {

Pressed press(Panel& panel, Rect area, std::string_view id, const Press& how) {
    panel.mark(id, area);
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::PushID(id.data(), id.data() + id.size());
    // Below the end of a low sidebar an area has no height, and a button must have one.
    const bool clicked =
        ImGui::InvisibleButton("##press", {std::max(1.0F, area.width()), std::max(1.0F, area.height())},
                               how.by_tab ? ImGuiButtonFlags_EnableNav : ImGuiButtonFlags_None);
    ImGui::PopID();
    // To ImGui the item that has the keyboard is under the mouse.
    const bool hovered = how.possible && ImGui::IsItemHovered(ImGuiHoveredFlags_NoNavOverride);
    if (hovered && how.role != "slider") ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ui::AccessibleItem* const heard = ui::announce_last(how.role, {});
    if (heard != nullptr) heard->gathers = true, heard->on = how.on;  // its name is what is written on it
    return {clicked && how.possible, hovered, hovered || (how.possible && ui::has_keyboard()), heard};
}

Pressed flat(Panel& panel, Rect area, std::string_view id, const Press& how) {
    const Pressed pressed = press(panel, area, id, how);
    const ui::Theme& theme = *panel.look.theme;
    if (pressed.hovered || how.on) fill(area, how.on ? theme.pressed : theme.control, ui::kWidgets.corner);
    return pressed;
}

bool button(Panel& panel, Rect area, std::string_view id, std::string_view text, const Button& how) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const Pressed pressed = press(panel, area, id, {.possible = how.possible});
    if (!how.tip.empty()) tooltip(look, {}, how.tip);
    const bool primary = how.primary && how.possible;
    fill(area, primary ? theme.ink : pressed.hovered ? theme.pressed : theme.control, ui::kWidgets.corner);
    label(look, {area.centre().x, area.centre().y + 5.0F}, text,
          primary        ? theme.rail
          : how.possible ? theme.ink
                         : theme.ink_faint,
          ui::kTextSize, ui::Face::text, Side::centre);
    return pressed.clicked;
}

bool word(Panel& panel, Point at, Side side, std::string_view id, std::string_view text, float size) {
    const ui::Theme& theme = *panel.look.theme;
    const float width = label_width(panel.look, text, size), x = side == Side::right ? at.x - width : at.x;
    const Pressed pressed = press(panel, {x - 4.0F, at.y - 15.0F, x + width + 4.0F, at.y + 7.0F}, id);
    label(panel.look, {x, at.y}, text, pressed.lit ? theme.ink : theme.ink_soft, size);
    return pressed.clicked;
}

bool cross(Panel& panel, Rect area, std::string_view id, std::string_view tip) {
    const ui::Theme& theme = *panel.look.theme;
    const Pressed pressed = press(panel, area, id);
    label(panel.look, {area.centre().x, area.centre().y + 6.0F}, "×",
          pressed.lit ? theme.ink : theme.ink_soft, ui::kWidgets.cross, ui::Face::text, Side::centre);
    if (pressed.heard != nullptr && !tip.empty()) pressed.heard->name = tip;
    tooltip(panel.look, {}, tip);
    return pressed.clicked;
}

float tab_width(const ui::Look& look, std::string_view text, float size) {
    return label_width(look, text, size, ui::Face::strong);
}

bool tab(Panel& panel, Rect area, std::string_view id, std::string_view text, bool here, bool lined,
         float size) {
    const ui::Look& look = panel.look;
    const float reach = 0.5F * std::min(area.height(), 34.0F);  // the frame of the keyboard is around it
    const Pressed pressed = press(panel, {area.x0, area.centre().y - reach, area.x1, area.centre().y + reach},
                                  id, {.role = "radio", .on = here});
    const float width = tab_width(look, text, size), x = area.centre().x - 0.5F * width;
    label(look, {x, area.centre().y + 5.0F}, text,
          here || pressed.lit ? look.theme->ink : look.theme->ink_soft, size,
          here ? ui::Face::strong : ui::Face::text);
    if (here && lined) fill({x, area.y1 - ui::kWidgets.line, x + width, area.y1}, look.theme->ink);
    return pressed.clicked;
}

float segment_width(const ui::Look& look, std::string_view text, float pad) {
    return label_width(look, text, ui::kWidgets.word) + 2.0F * pad;
}

std::optional<std::size_t> segments(Panel& panel, Rect area, std::span<const Segment> list, std::size_t on,
                                    float pad) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    std::optional<std::size_t> taken;
    fill(area, theme.control, ui::kWidgets.corner);
    float words = 0.0F;
    for (const Segment& one : list) words += segment_width(look, one.text, pad);
    const float more = (area.width() - words) / static_cast<float>(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Segment& one = list[i];
        const Rect part = area.cut_left(segment_width(look, one.text, pad) + more);
        const Pressed pressed = press(panel, part, one.id, {.role = "radio", .on = i == on});
        if (pressed.clicked && i != on) taken = i;
        if (i == on)
            fill(part.grown(-ui::kWidgets.margin), theme.ink, ui::kWidgets.corner - ui::kWidgets.margin);
        label(look, {part.centre().x, part.centre().y + 5.0F}, one.text,
              i == on       ? theme.rail
              : pressed.lit ? theme.ink
                            : theme.ink_soft,
              ui::kWidgets.word, ui::Face::text, Side::centre);
        if (!one.help.empty()) tooltip(look, one.tip, one.help);
    }
    return taken;
}

bool check(Panel& panel, Rect area, std::string_view id, std::string_view text, bool on, float size) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const Pressed pressed = press(panel, area, id, {.role = "checkbox", .on = on});
    const Rect box{area.x0, area.y0 + 3.0F, area.x0 + ui::kWidgets.box, area.y0 + 3.0F + ui::kWidgets.box};
    if (on) {
        fill(box, theme.ink, 3.5F);
        const ImVec2 tick[] = {
            {box.x0 + 3.5F, box.y0 + 7.8F}, {box.x0 + 6.4F, box.y0 + 10.8F}, {box.x0 + 11.5F, box.y0 + 4.5F}};
        draw_list().AddPolyline(tick, 3, theme.rail, 0, 1.8F);
    } else {
        outline(box, pressed.lit ? theme.ink : theme.ink_faint, 3.5F);
    }
    label(look, {area.x0 + ui::kWidgets.box + 7.0F, area.y0 + 15.0F}, text, theme.ink, size);
    return pressed.clicked;
}

void choice_mark(Point c, float r, ChoiceMark mark, ui::Colour ink) {
    const float line = std::max(1.4F, 0.22F * r);
    const auto stroke = [&](Point from, Point to) {
        draw_list().AddLine({c.x + r * from.x, c.y + r * from.y}, {c.x + r * to.x, c.y + r * to.y}, ink,
                            line);
    };
    draw_list().AddCircle({c.x, c.y}, r, ink, 32, line);
    if (mark == ChoiceMark::on) draw_list().AddCircleFilled({c.x, c.y}, 0.55F * r, ink, 32);
    if (mark == ChoiceMark::right)
        stroke({-0.5F, 0.0F}, {-0.14F, 0.43F}), stroke({-0.14F, 0.43F}, {0.54F, -0.46F});
    if (mark == ChoiceMark::wrong) stroke({-0.4F, -0.4F}, {0.4F, 0.4F}), stroke({-0.4F, 0.4F}, {0.4F, -0.4F});
}

float toggle(Panel& panel, Rect area, std::string_view key, bool on) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    area.y1 = area.y0 + 22.0F;
    if (press(panel, area, look.scratch->format("toggle:{}", key), {.role = "switch", .on = on}).clicked)
        panel.attempt(key, !on);
    label(look, {area.x0, area.y0 + 15.0F}, panel.said(key, "name"), theme.ink);
    const Rect pill{area.x1 - 36.0F, area.y0 + 2.0F, area.x1, area.y0 + 20.0F};
    fill(pill, on ? theme.seen : theme.track, 9.0F);
    draw_list().AddCircleFilled({on ? pill.x1 - 9.0F : pill.x0 + 9.0F, pill.centre().y}, 7.0F,
                                on ? theme.rail : theme.slider);
    panel.mark(key, pill);
    tooltip(look, {}, panel.said(key, "help"));
    return 28.0F;
}

Rect field_below(const ui::Look& look, Rect area, std::string_view title) {
    label(look, {area.x0, area.y0 + 12.0F}, title, look.theme->ink_soft, ui::kSmallSize);
    return {area.x0, area.y0 + 18.0F, area.x1, area.y0 + 18.0F + ui::kWidgets.field};
}

bool begin_list(const ui::Look& look, Rect field, const ListField& list) {
    ImGui::SetCursorScreenPos({field.x0, field.y0});
    ImGui::SetNextItemWidth(field.width());
    ImGui::PushID(list.key.data(), list.key.data() + list.key.size());
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ui::faded(look.theme->control, list.grounded ? 0.0F : 1.0F));
    const bool open =
        ImGui::BeginCombo("##list", "", ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton);
    ImGui::PopStyleColor();
    return open;
}

void write_field(const ui::Look& look, Rect field, const ListField& list) {
    const float base = field.y0 + 18.0F;
    float x = field.x0 + ImGui::GetStyle().FramePadding.x;
    if (list.dot != 0) draw_list().AddCircleFilled({x + 3.0F, field.y0 + 13.0F}, 4.5F, list.dot), x += 14.0F;
    ImGui::PushClipRect({field.x0, field.y0}, {field.x1 - 20.0F, field.y1}, true);
    label(look, {x, base}, list.shown, list.ink != 0 ? list.ink : look.theme->ink,
          list.grounded ? ui::kWidgets.word : ui::kTextSize);
    ImGui::PopClipRect();
    label(look, {field.x1 - 18.0F, base}, "▾", list.ink != 0 ? list.ink : look.theme->ink_soft);
}

void end_list(Panel& panel, Rect field, const ListField& list, bool open) {
    if (open) ImGui::EndCombo();
    ImGui::PopID();
    if (ui::AccessibleItem* heard = ui::announce_last("combobox", list.title)) heard->value = list.shown;
    panel.mark(list.key, field);
    tooltip(panel.look, list.grounded ? list.shown : std::string_view(), list.help);
    write_field(panel.look, field, list);
}

bool list_entry(const ui::Look& look, std::string_view id, std::string_view name, std::string_view detail,
                bool chosen, float width) {
    ImGui::PushID(id.data(), id.data() + id.size());
    const bool taken = ImGui::Selectable("##entry", chosen, 0, {width, 40.0F});
    ImGui::PopID();
    const ImVec2 corner = ImGui::GetItemRectMin();
    label(look, {corner.x + 4.0F, corner.y + 16.0F}, name, look.theme->ink);
    line_of_text(look, {corner.x + 4.0F, corner.y + 34.0F}, detail, look.theme->ink_soft, ui::kSmallSize);
    return taken && !chosen;
}

float selector(Panel& panel, Rect area, std::string_view key, std::string_view chosen,
               std::span<const std::string_view> options,
               std::string_view (*group)(std::string_view option)) {
    std::string_view taken;
    const float height = chooser(panel, area, key, chosen, options, taken, group);
    if (!taken.empty()) panel.attempt(key, std::string(taken));
    return height;
}

float chooser(Panel& panel, Rect area, std::string_view key, std::string_view chosen,
              std::span<const std::string_view> options, std::string_view& taken,
              std::string_view (*group)(std::string_view option), std::span<const std::string_view> first) {
    const ui::Look& look = panel.look;
    ui::Scratch& s = *look.scratch;
    const auto text_of = [&](std::string_view option, std::string_view part) {
        return look.text(s.format("option.{}.{}.{}", key, option, part));
    };
    const auto place = static_cast<std::size_t>(std::ranges::find(first, chosen) - first.begin());
    const bool by_list = place == first.size();
    const bool brief = !first.empty() && look.strings->contains(s.format("option.{}.{}.short", key, chosen));
    ListField list{.key = first.empty() ? key : s.format("{}:more", key),
                   .title = panel.said(key, "name"),
                   .shown = by_list ? text_of(chosen, brief ? "short" : "name") : look.text("rail.more"),
                   .help = panel.said(key, "help")};
    Rect field = field_below(look, area, list.title);
    if (!first.empty()) {
        list.grounded = true;
        list.ink = by_list ? look.theme->rail : look.theme->ink_soft;
        panel.mark(key, field);
        fill(field, look.theme->control, ui::kWidgets.corner);
        std::array<Segment, 8> made;
        float words = 0.0F;
        for (std::size_t i = 0; i < first.size(); ++i) {
            made.at(i) = {s.format("{}:{}", key, first[i]), text_of(first[i], "short"),
                          text_of(first[i], "name"), text_of(first[i], "help")};
            words += segment_width(look, made[i].text, 0.0F);
        }
        constexpr float kLeastList = 66.0F, kArrow = 30.0F;  // with the space before the name
        const float needed =
            by_list ? std::max(kLeastList, segment_width(look, list.shown, 0.0F) + kArrow) : kLeastList;
        const auto count = static_cast<float>(first.size());
        const float pad = std::clamp((field.width() - needed - words) / (2.0F * count), 3.0F, 12.0F);
        const Rect part = field.cut_left(words + 2.0F * count * pad);
        if (const auto pressed = segments(panel, part, std::span(made).first(first.size()), place, pad))
            taken = first[*pressed];
        if (by_list)
            fill(field.grown(-ui::kWidgets.margin), look.theme->ink,
                 ui::kWidgets.corner - ui::kWidgets.margin);
    }
    const bool open = begin_list(look, field, list);
    std::string_view last;
    for (const std::string_view option : open ? options : std::span<const std::string_view>()) {
        if (const std::string_view name = group != nullptr ? group(option) : ""; name != last) {
            if (!last.empty()) ImGui::Separator();
            ImGui::TextDisabled("%s", look.c(look.text(s.format("option.{}.group.{}", key, name))));
            last = name;
        }
        if (list_entry(look, option, text_of(option, "name"), text_of(option, "help"), option == chosen,
                       std::max(area.width() - 20.0F, 320.0F)))
            taken = option;
    }
    end_list(panel, field, list, open);
    return 54.0F;
}

}  // namespace posiscope::panels
