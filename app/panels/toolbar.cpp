// toolbar.cpp — the main menu, benches, comparison, undo and redo, export, language and theme.
#include "app/panels/toolbar.hpp"

#include "app/panels/panels.hpp"
#include "core/code/code.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

// Points: of the program's sign, of a bench's name in a list, of the switch of a comparison, and at the right end.
constexpr float kName = 84.0F, kWhere = 130.0F, kSides = 170.0F, kEnd = 10.0F;

// Places the next popup below the toolbar: at its left end, or aligned with the right edge of a button.
void hang_from(Rect bar, float x, bool by_right_edge) {
    ImGui::SetNextWindowPos({x, bar.y1 + 1.0F}, ImGuiCond_Always, {by_right_edge ? 1.0F : 0.0F, 0.0F});
    // ImGui bounds a popup by the whole height, as if it began at the top.
    ImGui::SetNextWindowSizeConstraints({0.0F, 0.0F},
                                        {FLT_MAX, ImGui::GetIO().DisplaySize.y - bar.y1 - 9.0F});
}

// One section of a menu: its actions in table order, with their keys.
void items(Panel& panel, const ToolbarView& view, Menu menu) {
    const ui::Look& look = panel.look;
    for (const Action& action : view.actions)
        if (action.menu == menu && ImGui::MenuItem(look.c(action_name(look, action)),
                                                   by_finger() ? nullptr : key_text(look, action.key).data(),
                                                   false, action.offered()))
            panel.ask(Verb::act, action.id);
}

// A flat button of the toolbar: whether it is pressed.
bool flat(const ui::Look& look, Rect place, std::string_view id, std::string_view text, bool enabled,
          std::string_view tip) {
    ImGui::SetCursorScreenPos({place.x0, place.y0 + 8.0F});
    ImGui::PushID(id.data(), id.data() + id.size());
    const bool pressed = ImGui::InvisibleButton("##flat", {place.width(), place.height() - 16.0F},
                                                ImGuiButtonFlags_EnableNav) &&
                         enabled;
    if (ImGui::IsItemHovered() && enabled)
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  look.theme->control, 5.0F);
    ring_if_focused(look);
    tooltip(look, {}, tip);
    label(look, {place.centre().x, place.centre().y + 5.0F}, text,
          enabled ? look.theme->ink : look.theme->ink_faint, ui::kTextSize, ui::Face::text, Side::centre);
    ImGui::PopID();
    return pressed;
}

void logo(const ui::Look& look, Point centre) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddCircle({centre.x, centre.y}, 9.0F, look.theme->ink, 48, 1.6F);
    list.AddLine({centre.x, centre.y}, {centre.x + 4.6F, centre.y - 6.4F}, look.theme->ink, 1.8F);
    list.AddLine({centre.x, centre.y}, {centre.x + 2.4F, centre.y + 6.2F}, look.theme->offset, 1.8F);
}

// Recent files; one that no longer exists keeps its place, with a note.
void recent_menu(Panel& panel, ToolbarView& view) {
    const ui::Look& look = panel.look;
    if (!ImGui::BeginMenu(look.c(look.text("bar.recent")), !view.recent.empty())) return;
    for (const Recent& recent : view.recent) {
        const std::string_view path = recent.path, name = path.substr(path.rfind('/') + 1);
        ImGui::PushID(&recent);
        if (ImGui::MenuItem(look.scratch->format("{}", name).data(), nullptr, false, recent.there))
            panel.ask(Verb::open_file, path);
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

void figure_menu(Panel& panel, ToolbarView& view) {
    const ui::Look& look = panel.look;
    if (!ImGui::BeginMenu(look.c(look.text("bar.figures")))) return;
    for (const std::string_view figure : view.figures)
        if (ImGui::MenuItem(look.c(look.text(look.scratch->format("figure.{}.name", figure))), nullptr,
                            figure == view.alone))
            panel.ask(Verb::show_figure, figure);
    ImGui::EndMenu();
}

void export_items(Panel& panel, ToolbarView& view) {
    const ui::Look& look = panel.look;
    items(panel, view, Menu::share);
    ImGui::Separator();
    items(panel, view, Menu::save);
    ImGui::Separator();
    ImGui::TextDisabled("%s", look.c(look.text("bar.picture_scale")));
    for (int one = 1; one <= 4; ++one)
        if (ImGui::MenuItem(look.scratch->format("{}×", one).data(), nullptr, view.picture_scale == one))
            view.picture_scale = one;
    ImGui::Separator();
    ImGui::TextDisabled("%s", look.c(look.text("bar.copy_as")));
    for (const CodeForm& form : code_forms())
        if (ImGui::MenuItem(look.c(look.text(look.scratch->format("code.{}", form.id)))))
            panel.ask(Verb::copy_code, form.id);
}

void themes(Panel& panel, ToolbarView& view) {
    const ui::Look& look = panel.look;
    for (const ui::Theme& one : ui::themes())
        if (ImGui::MenuItem(look.c(look.text(look.scratch->format("theme.{}", one.name))), nullptr,
                            one.name == view.theme))
            panel.ask(Verb::use_theme, one.name);
}

// `all`: also actions that have buttons in a wider bar.
void main_menu(Panel& panel, ToolbarView& view, bool all) {
    const ui::Look& look = panel.look;
    const MenuRows rows;
    if (!ImGui::BeginPopup("main")) return;
    if (ImGui::IsWindowAppearing()) panel.ask(Verb::list_recent);
    if (all) {
        if (ImGui::BeginMenu(look.c(look.text("bar.export")))) {
            export_items(panel, view);
            ImGui::EndMenu();
        }
        if (ImGui::BeginMenu(look.c(look.text("bar.compare")))) {
            items(panel, view, Menu::compare);
            ImGui::EndMenu();
        }
        if (ImGui::BeginMenu(look.c(action_name(look, view.action("theme"))))) {
            themes(panel, view);
            ImGui::EndMenu();
        }
        for (const std::string_view id : {"language", "undo", "redo"}) {
            const Action& action = view.action(id);
            if (ImGui::MenuItem(look.c(action_name(look, action)), nullptr, false, action.offered()))
                panel.ask(Verb::act, action.id);
        }
        ImGui::Separator();
    }
    items(panel, view, Menu::open);
    recent_menu(panel, view);
    items(panel, view, Menu::file);
    ImGui::Separator();
    items(panel, view, Menu::scene);
    ImGui::Separator();
    figure_menu(panel, view);
    items(panel, view, Menu::bench);
    ImGui::Separator();
    items(panel, view, Menu::size);
    ImGui::Separator();
    items(panel, view, Menu::program);
    ImGui::EndPopup();
}

void compare_items(Panel& panel, const ToolbarView& view) {
    const ui::Look& look = panel.look;
    items(panel, view, Menu::compare);
    ImGui::Separator();
    prose(look, look.text("bar.compare_help"), 330.0F, look.theme->ink_soft);
}

// A, B, both, B − A: the four views of a comparison, side by side.
constexpr std::array<std::string_view, 4> kSideLabels = {"A", "B", "A + B", "B − A"};
float side_width(const ui::Look& look, std::string_view text) {
    return label_width(look, text, 14.5F) + 18.0F;
}

void sides_switch(Panel& panel, Rect place, ToolbarView& view) {
    const ui::Look& look = panel.look;
    const Sides now = *view.sides;
    const ui::Theme& theme = *look.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({place.x0, place.y0 + 10.0F}, {place.x1, place.y1 - 11.0F}, theme.control, 5.0F);
    for (std::size_t i = 0; i < kSideLabels.size(); ++i) {
        const Rect side = place.cut_left(side_width(look, kSideLabels[i]));
        ImGui::SetCursorScreenPos({side.x0, side.y0 + 8.0F});
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::InvisibleButton("##side", {side.width(), side.height() - 16.0F},
                                   ImGuiButtonFlags_EnableNav))
            panel.ask(Verb::show_sides, sides_names()[i]);
        ring_if_focused(look);
        const bool here = static_cast<std::size_t>(now) == i;
        if (here)
            list.AddRectFilled({side.x0 + 2.0F, side.y0 + 12.0F}, {side.x1 - 2.0F, side.y1 - 13.0F},
                               theme.ink, 4.0F);
        tooltip(look, {}, look.text(look.scratch->format("bar.sides.{}", sides_names()[i])));
        label(look, {side.centre().x, side.centre().y + 5.0F}, kSideLabels[i],
              here ? theme.rail : theme.ink_soft, 14.5F, ui::Face::text, Side::centre);
        ImGui::PopID();
    }
}

// A narrow bar leaves out, in this order: the arrows of undo and redo, which have keys, the program's name beside its sign, the
// other benches' names, then all buttons but two; the menu has the others.
struct Room {
    bool benches = true, undo = true, name = true, buttons = true, sides = true;
};

// The bench, or the figure that is alone, as a button that opens the list of both.
void where_menu(Panel& panel, ToolbarView& view, std::string_view bench, float x, Rect area) {
    const ui::Look& look = panel.look;
    const std::string_view name =
        look.text(view.alone.empty() ? look.scratch->format("bench.{}.name", bench)
                                     : look.scratch->format("figure.{}.name", view.alone));
    const float width = label_width(look, name, ui::kTextSize, ui::Face::strong) + 20.0F;
    ImGui::SetCursorScreenPos({x - 10.0F, area.y0 + 4.0F});
    if (ImGui::InvisibleButton("##where", {width + 20.0F, area.height() - 8.0F}, ImGuiButtonFlags_EnableNav))
        ImGui::OpenPopup("where");
    ring_if_focused(look);
    if (ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  look.theme->control, 5.0F);
    label(look, {x, area.centre().y + 5.0F}, name, look.theme->ink, ui::kTextSize, ui::Face::strong);
    label(look, {x + width - 14.0F, area.centre().y + 5.0F}, "▾", look.theme->ink_soft, 12.0F);
    hang_from(area, x - 10.0F, false);
    const MenuRows rows;
    if (!ImGui::BeginPopup("where")) return;
    for (const std::string_view one : view.benches)
        if (ImGui::MenuItem(look.c(look.text(look.scratch->format("bench.{}.name", one))), nullptr,
                            one == bench))
            panel.ask(Verb::show_bench, one);
    ImGui::Separator();
    for (const std::string_view figure : view.figures)
        if (ImGui::MenuItem(look.c(look.text(look.scratch->format("figure.{}.name", figure))), nullptr,
                            figure == view.alone))
            panel.ask(Verb::show_figure, figure);
    ImGui::EndPopup();
}

// The program's name, which opens the menu; returns its right end.
float name_button(Panel& panel, ToolbarView& view, const Room& room, Rect area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ImGui::SetCursorScreenPos({area.x0 + 8.0F, area.y0 + 6.0F});
    const std::string_view own_name = room.name && room.buttons ? "Posiscope" : "";
    const float name_width = label_width(look, own_name, 16.5F, ui::Face::strong);
    if (ImGui::InvisibleButton("##name", {name_width + 56.0F, area.height() - 12.0F},
                               ImGuiButtonFlags_EnableNav))
        ImGui::OpenPopup("main");
    ring_if_focused(look);
    if (ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  theme.control, 5.0F);
    tooltip(look, {}, look.text("bar.menu"));
    logo(look, {area.x0 + 24.0F, area.centre().y});
    label(look, {area.x0 + 42.0F, area.centre().y + 5.0F}, own_name, theme.ink, 16.5F, ui::Face::strong);
    label(look, {area.x0 + 46.0F + name_width, area.centre().y + 5.0F}, "▾", theme.ink_soft, 12.0F);
    hang_from(area, area.x0 + 8.0F, false);
    main_menu(panel, view, !room.buttons);
    return area.x0 + name_width + kName;
}

// The benches' names, and that of a figure that is alone.
void bench_names(Panel& panel, ToolbarView& view, float x, Rect area) {
    const ui::Look& look = panel.look;
    const ui::Theme& theme = *look.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const std::string_view bench : view.benches) {
        const std::string_view name = look.text(look.scratch->format("bench.{}.name", bench));
        const float width = label_width(look, name, ui::kTextSize, ui::Face::strong);
        ImGui::SetCursorScreenPos({x - 10.0F, area.y0 + 4.0F});
        ImGui::PushID(bench.data(), bench.data() + bench.size());
        if (ImGui::InvisibleButton("##bench", {width + 20.0F, area.height() - 8.0F},
                                   ImGuiButtonFlags_EnableNav))
            panel.ask(Verb::show_bench, bench);
        ring_if_focused(look);
        const bool here = bench == panel.scene.bench;
        label(look, {x, area.centre().y + 5.0F}, name,
              here || ImGui::IsItemHovered() ? theme.ink : theme.ink_soft, ui::kTextSize,
              here ? ui::Face::strong : ui::Face::text);
        if (here && view.alone.empty())
            list.AddRectFilled({x, area.y1 - 2.0F}, {x + width, area.y1}, theme.ink);
        ImGui::PopID();
        x += width + 28.0F;
    }
    if (view.alone.empty()) return;
    const std::string_view name = look.text(look.scratch->format("figure.{}.name", view.alone));
    label(look, {x - 14.0F, area.centre().y + 5.0F}, "›", theme.ink_soft);
    label(look, {x, area.centre().y + 5.0F}, name, theme.ink, ui::kTextSize, ui::Face::strong);
    list.AddRectFilled({x, area.y1 - 2.0F},
                       {x + label_width(look, name, ui::kTextSize, ui::Face::strong), area.y1}, theme.ink);
}

// Buttons at the right end of the bar, made from left to right, as Tab comes to them.
class Buttons {
public:
    Buttons(Panel& panel, ToolbarView& view, Rect area) : panel_(panel), view_(view), area_(area) {}

    float width(const Room& room) {
        drawn_ = false;
        x_ = 0.0F;
        all(room);
        return x_;
    }
    void draw(const Room& room) {
        const float left = area_.x1 - kEnd - width(room);
        drawn_ = true;
        x_ = left;
        all(room);
    }

private:
    void all(const Room& room) {
        if (room.buttons) of_files();
        if (view_.sides && room.sides) of_sides();
        action("guide", look_.text("bar.guide"));
        if (room.buttons) {
            action("present", look_.text("bar.present"));
            // While two are compared their switch stands beside it.
            const std::string_view words = view_.sides ? "▾" : look_.text("bar.compare");
            menu("compare", words, look_.text("bar.compare_help"), [&] { compare_items(panel_, view_); });
            if (room.undo) {
                action("undo", "↶");
                action("redo", "↷");
            }
            menu("export", look_.text("bar.export"), look_.text("bar.export_help"),
                 [&] { export_items(panel_, view_); });
            action("help", "?");
            action("language", "中 / EN");
        }
        if (view_.folded || !room.buttons) action("sidebar", "≡");
        if (room.buttons)
            menu("themes", "◐", with_key(view_.action("theme")), [&] { themes(panel_, view_); });
    }

    Rect take(float width) {
        x_ += width;
        return {x_ - width, area_.y0, x_, area_.y1};
    }
    bool button(std::string_view id, std::string_view text, std::string_view tip, bool enabled = true) {
        const Rect place = take(label_width(look_, text) + 22.0F);
        return drawn_ && flat(look_, place, id, text, enabled, tip);
    }
    // For the action of the same name.
    void action(std::string_view id, std::string_view text) {
        const Action& action = view_.action(id);
        if (button(id, text, with_key(action), action.offered())) panel_.ask(Verb::act, id);
    }
    // Opens what `items` draws.
    void menu(const char* id, std::string_view text, std::string_view tip, auto items) {
        if (button(id, text, tip)) ImGui::OpenPopup(id);
        if (!drawn_) return;
        hang_from(area_, x_, true);
        const MenuRows rows;
        if (!ImGui::BeginPopup(id)) return;
        items();
        ImGui::EndPopup();
    }
    void of_sides() {
        float width = 0.0F;
        for (const std::string_view text : kSideLabels) width += side_width(look_, text);
        const Rect place = take(width);
        if (drawn_) sides_switch(panel_, place, view_);
        take(6.0F);
    }
    // Draws the shown file among several open ones, and its change on disk.
    void of_files() {
        const Outside& outside = view_.outside;
        if (!outside.changed.empty()) {  // never in a page, which has no such action
            const Action& reload = view_.action("reload");
            if (button("reload", look_.text("bar.reload"),
                       look_.format("bar.reload_help", fmt::arg("name", outside.changed),
                                    fmt::arg("key", key_text(look_, reload.key)))))
                panel_.ask(Verb::act, "reload");
        }
        if (outside.cards == 0) return;
        action("previous_card", "‹");
        const std::string_view text =
            look_.format("bar.card", fmt::arg("card", outside.card), fmt::arg("cards", outside.cards));
        const Rect place = take(label_width(look_, text));
        if (drawn_) label(look_, {place.x0, place.centre().y + 5.0F}, text, look_.theme->ink);
        action("next_card", "›");
    }
    std::string_view with_key(const Action& action) const {
        return look_.scratch->format("{}  ({})", action_name(look_, action), key_text(look_, action.key));
    }

    Panel& panel_;
    const ui::Look& look_ = panel_.look;
    ToolbarView& view_;
    Rect area_;
    float x_ = 0.0F;  // where the next one begins
    bool drawn_ = false;
};

Room room_in(const ui::Look& look, const ToolbarView& view, float width, Buttons& buttons) {
    const float name = label_width(look, "Posiscope", 16.5F, ui::Face::strong);
    const float fixed = kName + 2.0F * kEnd + buttons.width({.undo = false});
    const float arrows = buttons.width({}) - buttons.width({.undo = false});
    float benches = 0.0F;
    for (const std::string_view bench : view.benches)
        benches += label_width(look, look.text(look.scratch->format("bench.{}.name", bench)), ui::kTextSize,
                               ui::Face::strong) +
                   28.0F;
    if (!view.alone.empty())
        benches += label_width(look, look.text(look.scratch->format("figure.{}.name", view.alone))) + 22.0F;
    const bool all = fixed + benches <= width;
    const float places = all ? benches : kWhere;
    const float two = kName + kEnd + buttons.width({.buttons = false, .sides = false});
    return {.benches = all,
            .undo = fixed + places + name + arrows <= width,
            .name = fixed + places + name <= width,
            .buttons = fixed + places <= width,
            .sides = fixed + places <= width || two + kWhere + kSides < width};
}

void toolbar(Panel& panel, ToolbarView& view, Rect area) {
    const ui::Look& look = panel.look;
    Buttons buttons(panel, view, area);
    const Room room = room_in(look, view, area.width(), buttons);
    const float x = name_button(panel, view, room, area);
    if (room.benches) bench_names(panel, view, x, area);
    else where_menu(panel, view, panel.scene.bench, x, area);
    buttons.draw(room);
}

}  // namespace

extern const PanelEntry kToolbar{
    .id = "toolbar", .edge = Edge::top, .size = 46.0F, .draw = with_view<ToolbarView, toolbar>};

}  // namespace posiscope::panels
