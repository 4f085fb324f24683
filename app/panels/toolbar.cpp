// toolbar.cpp — the main menu, benches, comparison, undo and redo, export, language and theme.
#include "app/panels/toolbar.hpp"

#include "app/panels/panels.hpp"
#include "app/panels/widgets.hpp"
#include "core/code/code.hpp"

#include <imgui.h>

namespace posiscope::panels {
namespace {

// Points: of the program's sign, of a bench's name in a list, of the switch of a comparison, and at the right end.
constexpr float kName = 84.0F, kWhere = 130.0F, kSides = 170.0F, kEnd = 10.0F;

// One section of a menu: its actions in table order, with their keys.
void items(Panel& panel, const ToolbarView& view, Menu menu) {
    const ui::Look& look = panel.look;
    for (const Action& action : view.actions)
        if (action.menu == menu && ImGui::MenuItem(look.c(action_name(look, action)),
                                                   by_finger() ? nullptr : key_text(look, action.key).data(),
                                                   false, action.offered()))
            panel.ask(Verb::act, action.id);
}

// One of several, in a menu: those of the strings "KEY".
void one_of(Panel& panel, const auto& names, fmt::string_view key, std::string_view now, Verb verb) {
    const ui::Look& look = panel.look;
    for (const std::string_view name : names)
        if (ImGui::MenuItem(look.c(look.text(look.scratch->vformat(key, fmt::make_format_args(name)))),
                            nullptr, name == now))
            panel.ask(verb, name);
}

// A menu that hangs from the bar while it is open: at its left end, or aligned with the right edge of a button.
void hanging(const char* id, Rect bar, float x, bool by_right_edge, auto items) {
    ImGui::SetNextWindowPos({x, bar.y1 + 1.0F}, ImGuiCond_Always, {by_right_edge ? 1.0F : 0.0F, 0.0F});
    // ImGui bounds a popup by the whole height, as if it began at the top.
    ImGui::SetNextWindowSizeConstraints({0.0F, 0.0F},
                                        {FLT_MAX, ImGui::GetIO().DisplaySize.y - bar.y1 - 9.0F});
    const MenuRows rows;
    if (!ImGui::BeginPopup(id)) return;
    items();
    ImGui::EndPopup();
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
    std::array<std::string_view, 8> names;
    const std::span all = ui::themes();
    std::ranges::transform(all, names.begin(), &ui::Theme::name);
    one_of(panel, std::span(names).first(all.size()), "theme.{}", view.theme, Verb::use_theme);
}

// `all`: also actions that have buttons in a wider bar.
void main_menu(Panel& panel, ToolbarView& view, bool all) {
    const ui::Look& look = panel.look;
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
    if (ImGui::BeginMenu(look.c(look.text("bar.figures")))) {
        one_of(panel, view.figures, "figure.{}.name", view.alone, Verb::show_figure);
        ImGui::EndMenu();
    }
    items(panel, view, Menu::bench);
    ImGui::Separator();
    items(panel, view, Menu::size);
    ImGui::Separator();
    items(panel, view, Menu::program);
}

void compare_items(Panel& panel, const ToolbarView& view) {
    const ui::Look& look = panel.look;
    items(panel, view, Menu::compare);
    ImGui::Separator();
    prose(look, look.text("bar.compare_help"), 330.0F, look.theme->ink_soft);
}

// A, B, both, B − A: the four views of a comparison, side by side.
constexpr std::array<std::string_view, 4> kSideLabels = {"A", "B", "A + B", "B − A"};

// A narrow bar leaves out, in this order: the arrows of undo and redo, which have keys, the program's name beside its sign, the
// other benches' names, then all buttons but two; the menu has the others.
struct Room {
    bool benches = true, undo = true, name = true, buttons = true, sides = true;
};

// A button with a name, by which a screen reader calls it, and the sign of a menu.
void menu_button(Panel& panel, Rect place, const char* menu, Point at, std::string_view name, float size) {
    const ui::Look& look = panel.look;
    if (flat(panel, place, look.scratch->format("bar:{}", menu)).clicked) ImGui::OpenPopup(menu);
    label(look, at, name, look.theme->ink, size, ui::Face::strong);
    label(look, {at.x + label_width(look, name, size, ui::Face::strong) + 5.0F, at.y}, "▾",
          look.theme->ink_soft, 12.0F);
}

// The bench, or the figure that is alone, as a button that opens the list of both.
void where_menu(Panel& panel, ToolbarView& view, std::string_view bench, float x, Rect area) {
    const ui::Look& look = panel.look;
    const std::string_view name =
        look.text(view.alone.empty() ? look.scratch->format("bench.{}.name", bench)
                                     : look.scratch->format("figure.{}.name", view.alone));
    const float width = label_width(look, name, ui::kTextSize, ui::Face::strong) + 20.0F,
                base = area.centre().y + 5.0F;
    menu_button(panel, {x - 10.0F, area.y0 + 4.0F, x + 10.0F + width, area.y1 - 4.0F}, "where", {x, base},
                name, ui::kTextSize);
    hanging("where", area, x - 10.0F, false, [&] {
        one_of(panel, view.benches, "bench.{}.name", bench, Verb::show_bench);
        ImGui::Separator();
        one_of(panel, view.figures, "figure.{}.name", view.alone, Verb::show_figure);
    });
}

// The program's name, which opens the menu; returns its right end.
float name_button(Panel& panel, ToolbarView& view, const Room& room, Rect area) {
    const ui::Look& look = panel.look;
    const std::string_view own_name = room.name && room.buttons ? "Posiscope" : "";
    const float width = label_width(look, own_name, 16.5F, ui::Face::strong), base = area.centre().y + 5.0F;
    menu_button(panel, {area.x0 + 8.0F, area.y0 + 6.0F, area.x0 + 64.0F + width, area.y1 - 6.0F}, "main",
                {area.x0 + 42.0F, base}, own_name, 16.5F);
    tooltip(look, {}, look.text("bar.menu"));
    logo(look, {area.x0 + 24.0F, area.centre().y});
    hanging("main", area, area.x0 + 8.0F, false, [&] { main_menu(panel, view, !room.buttons); });
    return area.x0 + width + kName;
}

// The benches' names, and that of a figure that is alone.
void bench_names(Panel& panel, ToolbarView& view, float x, Rect area) {
    const ui::Look& look = panel.look;
    for (const std::string_view bench : view.benches) {
        const std::string_view name = look.text(look.scratch->format("bench.{}.name", bench));
        const float width = tab_width(look, name);
        if (tab(panel, {x - 10.0F, area.y0, x + width + 10.0F, area.y1},
                look.scratch->format("bench:{}", bench), name, bench == panel.scene.bench,
                view.alone.empty()))
            panel.ask(Verb::show_bench, bench);
        x += width + 28.0F;
    }
    if (view.alone.empty()) return;
    const std::string_view name = look.text(look.scratch->format("figure.{}.name", view.alone));
    const float base = area.centre().y + 5.0F;
    label(look, {x - 14.0F, base}, "›", look.theme->ink_soft);
    label(look, {x, base}, name, look.theme->ink, ui::kTextSize, ui::Face::strong);
    fill({x, area.y1 - ui::kWidgets.line, x + tab_width(look, name), area.y1}, look.theme->ink);
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
        Rect place = take(label_width(look_, text) + 22.0F);
        if (!drawn_) return false;
        place.y0 += 8.0F, place.y1 -= 8.0F;
        const bool pressed =
            flat(panel_, place, look_.scratch->format("bar:{}", id), {.possible = enabled}).clicked;
        tooltip(look_, {}, tip);
        label(look_, {place.centre().x, place.centre().y + 5.0F}, text,
              enabled ? look_.theme->ink : look_.theme->ink_faint, ui::kTextSize, ui::Face::text,
              Side::centre);
        return pressed;
    }
    // For the action of the same name.
    void action(std::string_view id, std::string_view text) {
        const Action& action = view_.action(id);
        if (button(id, text, with_key(action), action.offered())) panel_.ask(Verb::act, id);
    }
    // Opens what `items` draws.
    void menu(const char* id, std::string_view text, std::string_view tip, auto items) {
        if (button(id, text, tip)) ImGui::OpenPopup(id);
        if (drawn_) hanging(id, area_, x_, true, items);
    }
    void of_sides() {
        float width = 0.0F;
        std::array<Segment, kSideLabels.size()> list;
        for (std::size_t i = 0; i < list.size(); ++i) {
            list[i] = {sides_names()[i],
                       kSideLabels[i],
                       {},
                       look_.text(look_.scratch->format("bar.sides.{}", sides_names()[i]))};
            width += segment_width(look_, kSideLabels[i]);
        }
        Rect place = take(width);
        place.y0 += 10.0F, place.y1 -= 11.0F;
        const auto now = static_cast<std::size_t>(*view_.sides);
        if (const auto side = drawn_ ? segments(panel_, place, list, now) : std::nullopt)
            panel_.ask(Verb::show_sides, sides_names()[*side]);
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
