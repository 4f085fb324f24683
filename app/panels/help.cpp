// help.cpp — the help screen: keys, the manual, the table of the notes' sections, the living tables. Closes on Escape, F1 or a click
// outside.
#include "app/panels/help_pages.hpp"

#include "app/panels/guide_parts.hpp"
#include "app/panels/panels.hpp"
#include "app/ui/known.hpp"
#include "app/ui/manual.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::panels {

std::span<const std::string_view> help_page_names() {
    static constexpr std::array<std::string_view, 4> names = {"keys", "manual", "notes", "tables"};
    return names;
}

namespace {

// The width of the columns of keys.
constexpr float kWidth = 1180.0F, kNarrow = 600.0F, kTableRow = 25.0F;

float width() { return std::min(kWidth, ImGui::GetIO().DisplaySize.x - 68.0F); }
// On a telephone columns are below each other.
bool narrow() { return width() < kNarrow; }

void pages(Panel& panel, HelpState& state) {
    const ui::Look& look = panel.look;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float x = corner.x, y = corner.y;
    for (std::size_t i = 0; i < help_page_names().size(); ++i) {
        const std::string_view name = help_page_names()[i],
                               text = look.text(look.scratch->format("help.page.{}", name));
        const float wide = tab_width(look, text);
        if (x > corner.x && x + wide > corner.x + width()) x = corner.x, y += 32.0F;
        const Rect area{x, y, x + wide, y + 26.0F};
        if (tab(panel, area, look.scratch->format("help:{}", name), text,
                static_cast<std::size_t>(state.page) == i))
            state.page = static_cast<HelpPage>(i);
        x = area.x1 + (narrow() ? 18.0F : 26.0F);
    }
    ImGui::SetCursorScreenPos({corner.x, y + 38.0F});
}

void keys(const Panel& panel, const HelpView& view) {
    const ui::Look& look = panel.look;
    constexpr std::pair<Group, std::string_view> groups[] = {{Group::explore, "help.explore"},
                                                             {Group::look, "help.look"},
                                                             {Group::lecture, "help.lecture"},
                                                             {Group::keep, "help.keep"}};
    if (ImGui::BeginTable("##keys", narrow() ? 1 : 4,
                          ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_PadOuterX,
                          {ImGui::GetContentRegionAvail().x, 0.0F})) {
        ImGui::PushTextWrapPos(0.0F);
        if (!narrow()) ImGui::TableNextRow();
        for (const auto& [group, title] : groups) {
            ImGui::TableNextColumn();
            if (narrow() && group != Group::explore) ImGui::Spacing();
            ImGui::PushFont(look.fonts[1], 0.0F);
            ImGui::TextUnformatted(look.c(look.text(title)));
            ImGui::PopFont();
            ImGui::Spacing();
            const auto line = [&](std::string_view key, std::string_view does) {
                ImGui::TextDisabled("%s", look.c(key));
                ImGui::SameLine(0.0F, std::max(8.0F, 78.0F - ImGui::GetItemRectSize().x));
                ImGui::Text("%s", look.c(does));
            };
            for (const Action& one : view.actions)
                if (one.group == group && one.key != 0) line(key_text(look, one.key), action_name(look, one));
            if (group == Group::explore) line("\\", look.text("help.hold_b"));
        }
        ImGui::PopTextWrapPos();
        ImGui::EndTable();
    }
    ImGui::Separator();
    prose(look, look.text("help.mouse"), width() - (narrow() ? 0.0F : 60.0F), look.theme->ink);
}

// The view that a section opens, in words: "Matrix · values".
std::string_view opens(const ui::Look& look, const Section& section) {
    ui::Scratch& s = *look.scratch;
    if (!section.opens.empty()) return look.text(s.format("help.opens.{}", section.opens));
    if (section.figure.empty()) return "–";
    const std::string_view figure = look.text(s.format("figure.{}.name", section.figure));
    if (section.mode.empty()) return figure;
    return s.format("{} · {}", figure,
                    look.text(s.format("figure.{}.mode.{}", section.figure, section.mode)));
}

void section_row(Panel& panel, HelpView& view, const Section& section, Rect line) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const bool there = !section.figure.empty() || !section.opens.empty();
    const Pressed pressed =
        flat(panel, line, look.scratch->format("section:{}", section.id), {.possible = there});
    const float base = line.y0 + 17.0F;
    label(look, {line.x0 + 10.0F, base}, ui::section_name(*look.scratch, section.heading, *look.strings),
          theme.ink_soft, 14.5F);
    line_of_text(look, {line.x0 + (narrow() ? 50.0F : 110.0F), base},
                 ui::words(section.title, look.strings->language()), theme.ink);
    label(look, {line.x1 - 10.0F, narrow() ? line.y1 - 8.0F : base}, opens(look, section),
          there ? theme.ink : theme.ink_faint, 14.5F, ui::Face::text, Side::right);
    if (pressed.clicked) {
        panel.ask(Verb::show_section, section.id);
        view.state.open = false;
    }
}

// Every section of the notes and what shows it; a click opens that.
void notes(Panel& panel, HelpView& view) {
    const ui::Look& look = panel.look;
    const float row = narrow() ? kTableRow + 20.0F : kTableRow;
    prose(look, look.text("help.notes"), width(), look.theme->ink_soft);
    if (ImGui::BeginChild("##sections", {width(), 0.0F}, ImGuiChildFlags_NavFlattened)) {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        const float right = corner.x + width() - 16.0F, top = ImGui::GetWindowPos().y,
                    bottom = top + ImGui::GetWindowHeight();
        float y = corner.y;
        std::string_view note;
        for (const Section& section : ui::known_sections()) {
            if (section.note != note) {
                note = section.note;
                label(look, {corner.x + 10.0F, y + 22.0F},
                      look.format("help.note",
                                  fmt::arg("note", ui::note_name(*look.scratch, note, *look.strings)),
                                  fmt::arg("id", note)),
                      look.theme->ink, ui::kTextSize, ui::Face::strong);
                y += 32.0F;
            }
            if (y + row > top && y < bottom) section_row(panel, view, section, {corner.x, y, right, y + row});
            y += row;
        }
        ImGui::SetCursorScreenPos({corner.x, y});
        ImGui::Dummy({1.0F, 1.0F});
    }
    ImGui::EndChild();
}

// One part of a page of the manual; `before` is the kind of the one above it.
void manual_part(const ui::Look& look, Rect& area, const ui::ManualPart& part, ui::ManualPart::Kind before) {
    using Part = ui::ManualPart::Kind;
    const ui::Theme& theme = *look.theme;
    constexpr float kSize = 16.0F, kIndent = 18.0F, kFirstCell = 230.0F;
    if (part.kind != before && before != Part::heading) area.cut_top(6.0F);
    switch (part.kind) {
        case Part::heading:
            area.cut_top(10.0F);
            label(look, {area.x0, area.y0 + kSize}, part.text, theme.ink, kSize, ui::Face::strong);
            area.cut_top(28.0F);
            break;
        case Part::words: say(look, area, part.text, theme.ink, 10.0F, ui::Numbers::plain, kSize); break;
        case Part::item: {
            label(look, {area.x0 + 4.0F, area.y0 + kSize}, "•", theme.ink_soft, kSize);
            Rect inner{area.x0 + kIndent, area.y0, area.x1, area.y1};
            say(look, inner, part.text, theme.ink, 6.0F, ui::Numbers::plain, kSize);
            area.y0 = inner.y0;
            break;
        }
        case Part::code: {
            Rect inner{area.x0 + 10.0F, area.y0, area.x1 - 10.0F, area.y1};
            const LabelMeasure measure(look);
            const auto lines = static_cast<float>(std::max(
                1, ui::line_count(measure, part.text, ui::Face::text, ui::kTextSize, inner.width())));
            const Rect box = area.cut_top(1.3F * ui::kTextSize * lines + 2.0F);
            fill(box, theme.control);
            say(look, inner, part.text, theme.ink, 0.0F);
            break;
        }
        case Part::row: {
            const float first = narrow() ? area.width() : kFirstCell;
            rule(look, area, 5.0F);
            Rect name{area.x0, area.y0, area.x0 + first - 14.0F, area.y1};
            say(look, name, part.text, theme.ink_soft, 5.0F);
            Rect more{narrow() ? area.x0 : area.x0 + first, narrow() ? name.y0 : area.y0, area.x1, area.y1};
            say(look, more, part.more, theme.ink, 5.0F);
            area.y0 = std::max(name.y0, more.y0);
            break;
        }
    }
}

// The names of its pages, and the one that is chosen beside them, or below where the window is narrow.
void manual(Panel& panel, HelpState& state) {
    const ui::Look& look = panel.look;
    const std::vector<ui::ManualPage>& pages = ui::manual(look.strings->language());
    state.manual = std::min(state.manual, pages.size() - 1);
    constexpr float kPageNames = 256.0F, kPageRow = 30.0F, kProse = 640.0F;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float left = narrow() ? 0.0F : kPageNames,
                above = narrow() ? kPageRow * static_cast<float>(pages.size()) : 0.0F;
    const std::size_t before = state.manual;
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const float y = corner.y + kPageRow * static_cast<float>(i);
        const Rect row{corner.x, y, corner.x + (narrow() ? width() : kPageNames - 20.0F), y + kPageRow};
        if (flat(panel, row, look.scratch->format("help:manual{}", i), {.on = i == before}).clicked)
            state.manual = i;
        label(look, {row.x0 + 10.0F, row.y0 + 20.0F}, pages[i].title,
              i == before ? look.theme->ink : look.theme->ink_soft);
    }
    ImGui::SetCursorScreenPos({corner.x + left, corner.y + above});
    const float wide = std::min(width() - left, kProse);
    if (ImGui::BeginChild("##manual", {wide, std::max(120.0F, ImGui::GetContentRegionAvail().y)},
                          ImGuiChildFlags_NavFlattened)) {
        if (before != state.manual) ImGui::SetScrollY(0.0F);
        const ImVec2 top = ImGui::GetCursorScreenPos();
        Rect area{top.x, top.y, top.x + wide - 16.0F, top.y + 20000.0F};
        label(look, {area.x0, area.y0 + 18.0F}, pages[before].title, look.theme->ink, 18.0F,
              ui::Face::strong);
        area.cut_top(34.0F);
        auto kind = ui::ManualPart::Kind::heading;
        for (const ui::ManualPart& part : pages[before].parts) {
            manual_part(look, area, part, kind);
            kind = part.kind;
        }
        ImGui::SetCursorScreenPos({top.x, area.y0});
        ImGui::Dummy({1.0F, 1.0F});
    }
    ImGui::EndChild();
}

void table(Panel& panel, HelpView& view, const LivingTable& table, Rect& area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    const float name = narrow() ? area.width() : 190.0F;
    const float each =
        narrow() ? area.width() : (area.width() - name) / static_cast<float>(table.columns.size());
    const auto column = [&](std::size_t i) {
        return narrow() ? area.x0 : area.x0 + name + each * static_cast<float>(i);
    };
    label(look, {area.x0, area.y0 + 16.0F}, table.title, theme.ink, 16.0F, ui::Face::strong);
    if (narrow()) area.cut_top(22.0F);
    label(look, {narrow() ? area.x0 : area.x1, area.y0 + 16.0F}, table.of, theme.ink_soft, ui::kSmallSize,
          ui::Face::text, narrow() ? Side::left : Side::right);
    area.cut_top(26.0F);
    for (std::size_t i = 0; i < table.columns.size() && !narrow(); ++i)
        label(look, {column(i), area.y0 + 16.0F}, table.columns[i], theme.ink_soft, 14.5F);
    if (!narrow()) area.cut_top(24.0F);
    for (const LivingTable::Row& row : table.rows) {
        rule(look, area, 5.0F);
        float top = area.y0, bottom = top;
        const auto cell = [&](float x, float width, std::string_view text, ui::Colour colour) {
            Rect place{x, top, x + width, area.y1};
            say(look, place, text, colour, 5.0F);
            bottom = std::max(bottom, place.y0);
        };
        cell(area.x0, name - 14.0F, row.name, narrow() ? theme.ink : theme.ink_soft);
        if (!row.claim.empty()) {
            Rect place{area.x0, bottom, area.x0 + name - 14.0F, area.y1};
            if (word(panel, {place.x0, place.y0 + 12.0F}, Side::left,
                     look.scratch->format("help:claim:{}", row.claim),
                     look.format("help.claim", fmt::arg("claim", row.claim)))) {
                panel.ask(Verb::show_claim, row.claim);
                view.state.open = false;
            }
            bottom += 22.0F;
        }
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            if (narrow()) {
                top = bottom;
                cell(area.x0, each, table.columns[i], theme.ink_soft);
                top = bottom;
            }
            cell(column(i), each - 16.0F, row.cells[i], theme.ink);
        }
        area.y0 = bottom;
    }
    area.cut_top(22.0F);
}

void tables(Panel& panel, HelpView& view) {
    if (ImGui::BeginChild("##tables", {width(), 0.0F}, ImGuiChildFlags_NavFlattened)) {
        const ImVec2 corner = ImGui::GetCursorScreenPos();
        Rect area{corner.x, corner.y, corner.x + width() - 16.0F, corner.y + 9000.0F};
        for (const LivingTable& one : view.tables) table(panel, view, one, area);
        ImGui::SetCursorScreenPos({corner.x, area.y0});
        ImGui::Dummy({1.0F, 1.0F});
    }
    ImGui::EndChild();
}

void help(Panel& panel, HelpView& view, Rect) {
    bool& open = view.state.open;
    if (!open) return;
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::OpenPopup("##help");
    ImGui::SetNextWindowPos({0.5F * io.DisplaySize.x, 0.5F * io.DisplaySize.y}, ImGuiCond_Always,
                            {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({0.0F, 0.0F}, {io.DisplaySize.x - 20.0F, io.DisplaySize.y - 20.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {24.0F, 18.0F});
    if (ImGui::BeginPopup("##help", ImGuiWindowFlags_AlwaysAutoResize)) {
        pages(panel, view.state);
        // All pages are of one size.
        if (ImGui::BeginChild("##page", {width(), std::min(560.0F, io.DisplaySize.y - 130.0F)},
                              ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_HorizontalScrollbar)) {
            if (view.state.page == HelpPage::keys) keys(panel, view);
            else if (view.state.page == HelpPage::manual) manual(panel, view.state);
            else if (view.state.page == HelpPage::notes) notes(panel, view);
            else tables(panel, view);
        }
        ImGui::EndChild();
        if (parts::leaves_popup(ImGuiHoveredFlags_ChildWindows)) open = false;
        if (!open) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace

extern const PanelEntry kHelp{.id = "help", .draw = with_view<HelpView, help>};

}  // namespace posiscope::panels
