#include "app/panels/bar.hpp"

#include "core/code/code.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <utility>

namespace posiscope::panels {
namespace {

const char* action_name(const ui::Look& look, Action action) {
    return look.c(look.text(look.scratch->format("action.{}", entry(action).id)));
}

// "Ctrl +", "Shift ←": the labels on keys, not ImGui's names.
std::string_view chord_text(const ui::Look& look, int chord) {
    if (chord == 0) return {};
    constexpr std::pair<int, std::string_view> labels[] = {
        {ImGuiKey_LeftArrow, "←"},   {ImGuiKey_RightArrow, "→"},  {ImGuiKey_UpArrow, "↑"},
        {ImGuiKey_DownArrow, "↓"},   {ImGuiKey_LeftBracket, "["}, {ImGuiKey_RightBracket, "]"},
        {ImGuiKey_Equal, "+"},       {ImGuiKey_Minus, "−"},       {ImGuiKey_PageUp, "PgUp"},
        {ImGuiKey_PageDown, "PgDn"},
    };
    const int key = chord & ~ImGuiMod_Mask_;
    std::string_view name = ImGui::GetKeyName(static_cast<ImGuiKey>(key));
    for (const auto& [known, label] : labels)
        if (known == key) name = label;
    return look.scratch->format("{}{}{}", (chord & ImGuiMod_Ctrl) != 0 ? "Ctrl " : "",
                                (chord & ImGuiMod_Shift) != 0 ? "Shift " : "", name);
}

// Places the next popup below the toolbar: at its left end, or aligned with the right edge of a button.
void hang_from(Rect bar, float x, bool by_right_edge) {
    ImGui::SetNextWindowPos({x, bar.y1 + 1.0F}, ImGuiCond_Always, {by_right_edge ? 1.0F : 0.0F, 0.0F});
}

// A menu item with its key.
bool item(const ui::Look& look, Action action, bool enabled = true) {
    return ImGui::MenuItem(action_name(look, action), chord_text(look, entry(action).chord).data(), false,
                           enabled);
}

// A flat button of the toolbar; returns where the next one ends (they are placed from the right).
struct BarButton {
    bool pressed;
    float left;
};
BarButton flat(const ui::Look& look, float right, Rect bar, std::string_view id, std::string_view text,
               bool enabled, std::string_view tip) {
    const float width = label_width(look, text) + 22.0F;
    ImGui::SetCursorScreenPos({right - width, bar.y0 + 8.0F});
    ImGui::PushID(id.data(), id.data() + id.size());
    const bool pressed = ImGui::InvisibleButton("##flat", {width, bar.height() - 16.0F}) && enabled;
    if (ImGui::IsItemHovered() && enabled)
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  look.theme->control, 5.0F);
    if (ImGui::IsItemFocused() && GImGui->NavCursorVisible)
        ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                            look.theme->cosine, 5.0F);
    tooltip(look, {}, tip);
    label(look, {right - 0.5F * width, bar.centre().y + 5.0F}, text,
          enabled ? look.theme->ink : look.theme->ink_faint, ui::kTextSize, ui::Face::text, Side::centre);
    ImGui::PopID();
    return {pressed, right - width};
}

void logo(const ui::Look& look, Point centre) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCircle({centre.x, centre.y}, 9.0F, look.theme->ink, 48, 1.6F);
    list.AddLine({centre.x, centre.y}, {centre.x + 4.6F, centre.y - 6.4F}, look.theme->ink, 1.8F);
    list.AddLine({centre.x, centre.y}, {centre.x + 2.4F, centre.y + 6.2F}, look.theme->offset, 1.8F);
}

// Recent files; one that no longer exists keeps its place, with a note.
void recent_menu(const ui::Look& look, BarState& state) {
    if (!ImGui::BeginMenu(look.c(look.text("bar.recent")), !state.recent.empty())) return;
    for (const Recent& recent : state.recent) {
        const std::string_view path = recent.path, name = path.substr(path.rfind('/') + 1);
        ImGui::PushID(&recent);
        if (ImGui::MenuItem(look.scratch->format("{}", name).data(), nullptr, false, recent.there))
            state.chosen_recent = &recent;
        ImGui::PopID();
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled | ImGuiHoveredFlags_ForTooltip) &&
            ImGui::BeginTooltip()) {
            ImGui::TextUnformatted(path.data(), path.data() + path.size());
            if (!recent.there) ImGui::TextDisabled("%s", look.c(look.text("bar.recent_gone")));
            ImGui::EndTooltip();
        }
    }
    ImGui::EndMenu();
}

std::optional<Action> main_menu(const ui::Look& look, BarState& state) {
    std::optional<Action> chosen;
    if (!ImGui::BeginPopup("main")) return chosen;
    state.menu_opened = ImGui::IsWindowAppearing();
    if (item(look, Action::open_file)) chosen = Action::open_file;
    recent_menu(look, state);
    for (const Action action : {Action::reload, Action::save_scene})
        if (item(look, action, action != Action::reload || !state.outside.name.empty())) chosen = action;
    ImGui::Separator();
    for (const Action action : {Action::copy_scene, Action::paste_scene, Action::reset_scene})
        if (item(look, action)) chosen = action;
    ImGui::Separator();
    if (ImGui::BeginMenu(look.c(look.text("bar.figures")))) {
        for (const std::string_view figure : state.figures)
            if (ImGui::MenuItem(look.c(look.text(look.scratch->format("figure.{}.name", figure))), nullptr,
                                figure == state.solo))
                state.chosen_figure = figure;
        ImGui::EndMenu();
    }
    for (const Action action :
         {Action::whole_bench, Action::previous_bench, Action::next_bench, Action::reset_layout})
        if (item(look, action)) chosen = action;
    ImGui::Separator();
    for (const Action action : {Action::larger, Action::smaller, Action::normal_size, Action::full_screen})
        if (item(look, action)) chosen = action;
    ImGui::Separator();
    for (const Action action : {Action::help, Action::quit})
        if (item(look, action)) chosen = action;
    ImGui::EndPopup();
    return chosen;
}

std::optional<Action> export_menu(const ui::Look& look, BarState& state) {
    std::optional<Action> chosen;
    if (!ImGui::BeginPopup("export")) return chosen;
    for (const Action action : {Action::export_as, Action::copy_picture})
        if (item(look, action)) chosen = action;
    ImGui::Separator();
    for (const Action action : {Action::save_window, Action::save_figure, Action::save_pdf, Action::save_svg})
        if (item(look, action)) chosen = action;
    ImGui::Separator();
    ImGui::TextDisabled("%s", look.c(look.text("bar.picture_scale")));
    for (int one = 1; one <= 4; ++one)
        if (ImGui::MenuItem(look.scratch->format("{}×", one).data(), nullptr, state.picture_scale == one))
            state.picture_scale = one;
    ImGui::Separator();
    ImGui::TextDisabled("%s", look.c(look.text("bar.copy_as")));
    for (const CodeForm& form : code_forms())
        if (ImGui::MenuItem(look.c(look.text(look.scratch->format("code.{}", form.id)))))
            state.chosen_code = form.id;
    ImGui::EndPopup();
    return chosen;
}

std::optional<Action> compare_menu(const ui::Look& look, bool comparing) {
    std::optional<Action> chosen;
    if (!ImGui::BeginPopup("compare")) return chosen;
    for (const Action action :
         {Action::compare_keep, Action::compare_swap, Action::compare_next, Action::compare_end})
        if (item(look, action, comparing || action == Action::compare_keep)) chosen = action;
    ImGui::Separator();
    prose(look, look.text("bar.compare_help"), 330.0F, look.theme->ink_soft);
    ImGui::EndPopup();
    return chosen;
}

// A, B, both, B − A: the four views of a comparison, side by side; returns where the next button ends.
float sides_switch(const ui::Look& look, float right, Rect bar, Sides now, std::optional<Sides>& chosen) {
    constexpr std::array<std::string_view, 4> labels = {"A", "B", "A + B", "B − A"};
    const ui::Theme& theme = *look.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float whole = 0.0F;
    for (const std::string_view text : labels) whole += label_width(look, text, 14.5F) + 18.0F;
    float x = right - whole - 6.0F;
    const float left = x;
    list.AddRectFilled({x, bar.y0 + 10.0F}, {x + whole, bar.y1 - 11.0F}, theme.control, 5.0F);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const float width = label_width(look, labels[i], 14.5F) + 18.0F;
        ImGui::SetCursorScreenPos({x, bar.y0 + 8.0F});
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::InvisibleButton("##side", {width, bar.height() - 16.0F})) chosen = static_cast<Sides>(i);
        const bool here = static_cast<std::size_t>(now) == i;
        if (here)
            list.AddRectFilled({x + 2.0F, bar.y0 + 12.0F}, {x + width - 2.0F, bar.y1 - 13.0F}, theme.ink,
                               4.0F);
        tooltip(look, {}, look.text(look.scratch->format("bar.sides.{}", sides_names()[i])));
        label(look, {x + 0.5F * width, bar.centre().y + 5.0F}, labels[i], here ? theme.rail : theme.ink_soft,
              14.5F, ui::Face::text, Side::centre);
        ImGui::PopID();
        x += width;
    }
    return left;
}

}  // namespace

std::optional<Action> bar(const ui::Look& look, Rect area, BarState& state) {
    std::optional<Action> chosen;
    const ui::Theme& theme = *look.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();

    ImGui::SetCursorScreenPos({area.x0 + 8.0F, area.y0 + 6.0F});
    const float name_width = label_width(look, "Posiscope", 16.5F, ui::Face::strong);
    if (ImGui::InvisibleButton("##name", {name_width + 56.0F, area.height() - 12.0F}))
        ImGui::OpenPopup("main");
    if (ImGui::IsItemHovered())
        list.AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), theme.control, 5.0F);
    tooltip(look, {}, look.text("bar.menu"));
    logo(look, {area.x0 + 24.0F, area.centre().y});
    label(look, {area.x0 + 42.0F, area.centre().y + 5.0F}, "Posiscope", theme.ink, 16.5F, ui::Face::strong);
    label(look, {area.x0 + 46.0F + name_width, area.centre().y + 5.0F}, "▾", theme.ink_soft, 12.0F);
    hang_from(area, area.x0 + 8.0F, false);
    if (const auto action = main_menu(look, state)) chosen = action;

    float x = area.x0 + name_width + 84.0F;
    for (const std::string_view bench : state.benches) {
        const std::string_view name = look.text(look.scratch->format("bench.{}.name", bench));
        const float width = label_width(look, name, ui::kTextSize, ui::Face::strong);
        ImGui::SetCursorScreenPos({x - 10.0F, area.y0 + 4.0F});
        ImGui::PushID(bench.data(), bench.data() + bench.size());
        if (ImGui::InvisibleButton("##bench", {width + 20.0F, area.height() - 8.0F}))
            state.chosen_bench = bench;
        const bool here = bench == state.bench;
        label(look, {x, area.centre().y + 5.0F}, name,
              here || ImGui::IsItemHovered() ? theme.ink : theme.ink_soft, ui::kTextSize,
              here ? ui::Face::strong : ui::Face::text);
        if (here && state.solo.empty())
            list.AddRectFilled({x, area.y1 - 2.0F}, {x + width, area.y1}, theme.ink);
        ImGui::PopID();
        x += width + 28.0F;
    }
    if (!state.solo.empty()) {
        const std::string_view name = look.text(look.scratch->format("figure.{}.name", state.solo));
        label(look, {x - 14.0F, area.centre().y + 5.0F}, "›", theme.ink_soft);
        label(look, {x, area.centre().y + 5.0F}, name, theme.ink, ui::kTextSize, ui::Face::strong);
        list.AddRectFilled({x, area.y1 - 2.0F},
                           {x + label_width(look, name, ui::kTextSize, ui::Face::strong), area.y1},
                           theme.ink);
    }

    float right = area.x1 - 10.0F;
    const auto button = [&](std::string_view id, std::string_view text, bool enabled, std::string_view tip) {
        const BarButton made = flat(look, right, area, id, text, enabled, tip);
        right = made.left;
        return made.pressed;
    };
    const auto with_key = [&](Action action) {
        return look.scratch->format("{}  ({})", action_name(look, action),
                                    chord_text(look, entry(action).chord));
    };
    if (button("theme", "◐", true, with_key(Action::theme))) ImGui::OpenPopup("themes");
    hang_from(area, area.x1 - 10.0F, true);
    if (ImGui::BeginPopup("themes")) {
        for (const ui::Theme& one : ui::themes())
            if (ImGui::MenuItem(look.c(look.text(look.scratch->format("theme.{}", one.name))), nullptr,
                                one.name == state.theme))
                state.chosen_theme = one.name;
        ImGui::EndPopup();
    }
    if (button("language", "中 / EN", true, with_key(Action::language))) chosen = Action::language;
    if (button("help", "?", true, with_key(Action::help))) chosen = Action::help;
    float edge = right;
    if (button("export", look.text("bar.export"), true, look.text("bar.export_help")))
        ImGui::OpenPopup("export");
    hang_from(area, edge, true);
    if (const auto action = export_menu(look, state)) chosen = action;
    if (button("redo", "↷", state.can_redo, with_key(Action::redo))) chosen = Action::redo;
    if (button("undo", "↶", state.can_undo, with_key(Action::undo))) chosen = Action::undo;
    edge = right;
    if (button("compare", look.text("bar.compare"), true, look.text("bar.compare_help")))
        ImGui::OpenPopup("compare");
    hang_from(area, edge, true);
    if (const auto action = compare_menu(look, state.sides.has_value())) chosen = action;
    if (state.sides) right = sides_switch(look, right, area, *state.sides, state.chosen_sides);
    const Outside& outside = state.outside;
    if (outside.cards > 0) {
        if (button("next_card", "›", outside.card < outside.cards, with_key(Action::next_card)))
            chosen = Action::next_card;
        const std::string_view place =
            look.format("bar.card", fmt::arg("card", outside.card), fmt::arg("cards", outside.cards));
        right -= label_width(look, place);
        label(look, {right, area.centre().y + 5.0F}, place, theme.ink);
        if (button("previous_card", "‹", outside.card > 1, with_key(Action::previous_card)))
            chosen = Action::previous_card;
    }
    if (!outside.changed.empty() &&
        button("reload", look.text("bar.reload"), true,
               look.format("bar.reload_help", fmt::arg("name", outside.changed),
                           fmt::arg("key", chord_text(look, entry(Action::reload).chord)))))
        chosen = Action::reload;
    return chosen;
}

void help(const ui::Look& look, bool& open) {
    if (!open) return;
    const ImGuiIO& io = ImGui::GetIO();
    ImGui::OpenPopup("##help");
    ImGui::SetNextWindowPos({0.5F * io.DisplaySize.x, 0.5F * io.DisplaySize.y}, ImGuiCond_Always,
                            {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({0.0F, 0.0F}, {io.DisplaySize.x - 20.0F, io.DisplaySize.y - 20.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {24.0F, 18.0F});
    if (ImGui::BeginPopup("##help", ImGuiWindowFlags_AlwaysAutoResize)) {
        constexpr std::pair<Group, std::string_view> groups[] = {
            {Group::explore, "help.explore"}, {Group::look, "help.look"}, {Group::keep, "help.keep"}};
        if (ImGui::BeginTable("##keys", 3, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_PadOuterX)) {
            ImGui::TableNextRow();
            for (const auto& [group, title] : groups) {
                ImGui::TableNextColumn();
                ImGui::PushFont(look.fonts[1], 0.0F);
                ImGui::TextUnformatted(look.c(look.text(title)));
                ImGui::PopFont();
                ImGui::Spacing();
                for (const ActionEntry& one : actions()) {
                    if (one.group != group || one.chord == 0) continue;
                    ImGui::TextDisabled("%s", chord_text(look, one.chord).data());
                    ImGui::SameLine(0.0F, std::max(8.0F, 78.0F - ImGui::GetItemRectSize().x));
                    ImGui::Text("%s      ", action_name(look, one.action));
                }
                if (group != Group::explore) continue;
                ImGui::TextDisabled("\\");
                ImGui::SameLine(0.0F, std::max(8.0F, 78.0F - ImGui::GetItemRectSize().x));
                ImGui::Text("%s      ", look.c(look.text("help.hold_b")));
            }
            ImGui::EndTable();
        }
        ImGui::Separator();
        prose(look, look.text("help.mouse"), 820.0F, look.theme->ink);
        if (ImGui::IsKeyPressed(ImGuiKey_Escape)) open = false;
        if (!ImGui::IsWindowAppearing() && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
            !ImGui::IsWindowHovered())
            open = false;
        if (!open) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

}  // namespace posiscope::panels
