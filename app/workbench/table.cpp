// table.cpp — every action: name, keys, place in help and menus, where and when it is possible, and what it does. Help
// and menus keep this order.
#include "app/workbench/caption.hpp"
#include "app/workbench/copying.hpp"
#include "app/workbench/workbench.hpp"
#include "core/scene/words.hpp"

#include <imgui.h>

namespace posiscope::workbench {
namespace {

constexpr int kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift;

void next_side(Scene& scene) {
    const std::size_t now = static_cast<std::size_t>(sides(scene));
    show_sides(scene, static_cast<Sides>((now + 1) % sides_names().size()));
}

std::string_view next_theme(std::string_view name) {
    const auto themes = ui::themes();
    for (std::size_t i = 0; i < themes.size(); ++i)
        if (themes[i].name == name) return themes[(i + 1) % themes.size()].name;
    return themes.front().name;
}

}  // namespace

std::vector<panels::Action> Workbench::table() {
    using panels::Group, panels::Menu;
    using panels::kDesktop, panels::kPage, panels::kPresenting;
    constexpr unsigned everywhere = kDesktop | kPage | kPresenting, desktop = kDesktop,
                       lectures = kDesktop | kPresenting;
    const auto moves = [this](std::int64_t positions, std::int64_t offset, std::int64_t pair) {
        return [=, this] { move_by(positions, offset, pair); };
    };
    const auto shows = [this](std::size_t index) {
        return [=, this] {
            const auto ids = figures_of(bench_of(session.scene().bench));
            if (!layout.alone().empty() && index < ids.size()) {
                layout.show_alone(layout.alone() == ids[index] ? std::string_view() : ids[index]);
            } else if (index < layout.tiles().size()) {
                layout.show_alone(layout.tiles()[index].figure);  // which may stand in for another
            }
        };
    };
    const auto saves = [this](std::string_view ending) {
        return [=, this] { requests_.save = Requests::Save{pointed_at(), ending}; };
    };
    const auto keeps = [this](std::string_view ending) {
        return [=, this] { requests_.save_results = ending; };
    };
    const auto results = [this] {
        const auto& bank = controls.training.trainer().bank();
        return session.scene().bench == "experiment" && bank && bank->finished() > 0;
    };
    const auto lecturing = [this] { return controls.presenting.on(); };
    const auto compared = [this] { return session.b() != nullptr; };
    return {
        {.id = "play",
         .key = ImGuiKey_Space,
         .group = Group::explore,
         .where = everywhere,
         .perform = [this] { controls.playing.on = !controls.playing.on; }},
        {.id = "position_back",
         .key = ImGuiKey_LeftArrow,
         .group = Group::explore,
         .where = everywhere,
         .repeats = true,
         .perform = moves(-1, 0, 0)},
        {.id = "position_forward",
         .key = ImGuiKey_RightArrow,
         .group = Group::explore,
         .where = everywhere,
         .repeats = true,
         .perform = moves(1, 0, 0)},
        {.id = "position_back_ten",
         .key = kShift | ImGuiKey_LeftArrow,
         .group = Group::explore,
         .where = everywhere,
         .repeats = true,
         .perform = moves(-10, 0, 0)},
        {.id = "position_forward_ten",
         .key = kShift | ImGuiKey_RightArrow,
         .group = Group::explore,
         .where = everywhere,
         .repeats = true,
         .perform = moves(10, 0, 0)},
        {.id = "offset_less",
         .key = ImGuiKey_LeftBracket,
         .group = Group::explore,
         .where = everywhere,
         .repeats = true,
         .perform = moves(0, -1, 0)},
        {.id = "offset_more",
         .key = ImGuiKey_RightBracket,
         .group = Group::explore,
         .where = everywhere,
         .repeats = true,
         .perform = moves(0, 1, 0)},
        {.id = "pair_previous",
         .key = ImGuiKey_UpArrow,
         .group = Group::explore,
         .where = everywhere,
         .repeats = true,
         .perform = moves(0, 0, -1)},
        {.id = "pair_next",
         .key = ImGuiKey_DownArrow,
         .group = Group::explore,
         .where = everywhere,
         .repeats = true,
         .perform = moves(0, 0, 1)},
        {.id = "next_mode",
         .key = ImGuiKey_F,
         .group = Group::explore,
         .where = everywhere,
         .perform = [this] { turn_mode(); }},
        {.id = "compare_keep",
         .key = ImGuiKey_C,
         .group = Group::explore,
         .menu = Menu::compare,
         .perform = [this] { keep_b(); }},
        {.id = "compare_swap",
         .key = ImGuiKey_X,
         .group = Group::explore,
         .menu = Menu::compare,
         .possible = compared,
         .perform = [this] { compare(swap_sides); }},
        {.id = "compare_next",
         .key = ImGuiKey_V,
         .group = Group::explore,
         .menu = Menu::compare,
         .where = everywhere,
         .possible = compared,
         .perform = [this] { compare(next_side); }},
        {.id = "compare_end",
         .group = Group::explore,
         .menu = Menu::compare,
         .possible = compared,
         .perform = [this] { compare(end_comparison); }},

        {.id = "whole_bench",
         .key = ImGuiKey_0,
         .group = Group::look,
         .menu = Menu::bench,
         .where = everywhere,
         .perform = [this] { layout.show_bench(); }},
        {.id = "leave",
         .key = ImGuiKey_Escape,
         .group = Group::look,
         .where = everywhere,
         .perform =
             [this] {
                 if (controls.presenting.on()) return present(false);
                 if (!layout.alone().empty() || !controls.teaching.escape()) layout.show_bench();
             }},
        {.id = "figure_1", .key = ImGuiKey_1, .group = Group::look, .where = everywhere, .perform = shows(0)},
        {.id = "figure_2", .key = ImGuiKey_2, .group = Group::look, .where = everywhere, .perform = shows(1)},
        {.id = "figure_3", .key = ImGuiKey_3, .group = Group::look, .where = everywhere, .perform = shows(2)},
        {.id = "figure_4", .key = ImGuiKey_4, .group = Group::look, .where = everywhere, .perform = shows(3)},
        {.id = "previous_bench",
         .key = kCtrl | ImGuiKey_LeftArrow,
         .group = Group::look,
         .menu = Menu::bench,
         .perform = [this] { turn_to_bench(benches().size() - 1); }},
        {.id = "next_bench",
         .key = kCtrl | ImGuiKey_RightArrow,
         .group = Group::look,
         .menu = Menu::bench,
         .perform = [this] { turn_to_bench(1); }},
        {.id = "reset_layout",
         .group = Group::look,
         .menu = Menu::bench,
         .perform =
             [this] {
                 preferences.splits.erase(std::string(bench_of(session.scene().bench).id));
                 layout.show_bench();
             }},
        {.id = "theme",
         .key = ImGuiKey_T,
         .group = Group::look,
         .where = everywhere,
         .perform =
             [this] {
                 std::string& theme =
                     controls.presenting.on() ? preferences.presenting_theme : preferences.theme;
                 theme = next_theme(theme);
             }},
        {.id = "language",
         .key = ImGuiKey_L,
         .group = Group::look,
         .where = everywhere,
         .perform = [this] { preferences.language = preferences.language == "zh" ? "en" : "zh"; }},
        // Many keyboards need Shift for "+", and the number pad has its own.
        {.id = "larger",
         .key = kCtrl | ImGuiKey_Equal,
         .also = {kCtrl | kShift | ImGuiKey_Equal, kCtrl | ImGuiKey_KeypadAdd},
         .group = Group::look,
         .menu = Menu::size,
         .where = lectures,
         .perform = [this] { enlarge(1); }},
        {.id = "smaller",
         .key = kCtrl | ImGuiKey_Minus,
         .also = {kCtrl | ImGuiKey_KeypadSubtract},
         .group = Group::look,
         .menu = Menu::size,
         .where = lectures,
         .perform = [this] { enlarge(-1); }},
        {.id = "normal_size",
         .key = kCtrl | ImGuiKey_0,
         .group = Group::look,
         .menu = Menu::size,
         .where = lectures,
         .perform = [this] { preferences.scale = 1.0; }},
        {.id = "sidebar",
         .key = ImGuiKey_S,
         .group = Group::look,
         .menu = Menu::size,
         .perform = [this] { controls.sidebar_asked = !controls.sidebar_asked; }},
        {.id = "full_screen",
         .key = ImGuiKey_F11,
         .group = Group::look,
         .menu = Menu::size,
         .where = lectures,
         .perform = [this] { requests_.full_screen = true; }},
        {.id = "present",
         .key = ImGuiKey_F5,
         .group = Group::lecture,
         .menu = Menu::program,
         .where = lectures,
         .perform = [this] { present(!controls.presenting.on()); }},
        {.id = "blank",
         .key = ImGuiKey_B,
         .also = {ImGuiKey_Period},
         .group = Group::lecture,
         .where = kPresenting,
         .possible = lecturing,
         .perform = [this] { controls.presenting.toggle_blank(); }},
        {.id = "draw",
         .key = ImGuiKey_D,
         .group = Group::lecture,
         .where = kPresenting,
         .possible = lecturing,
         .perform = [this] { controls.presenting.drawing.on = !controls.presenting.drawing.on; }},
        {.id = "clear_drawing",
         .key = ImGuiKey_E,
         .also = {ImGuiKey_Delete},
         .group = Group::lecture,
         .where = kPresenting,
         .possible = lecturing,
         .perform = [this] { controls.presenting.drawing.strokes.clear(); }},
        {.id = "laser",
         .key = ImGuiKey_R,
         .group = Group::lecture,
         .where = kPresenting,
         .held = true,
         .possible = lecturing,
         .perform = [this] { controls.laser = true; }},
        {.id = "lens",
         .key = ImGuiKey_Z,
         .group = Group::lecture,
         .where = kPresenting,
         .held = true,
         .possible = lecturing,
         .perform = [this] { controls.lens = true; }},

        {.id = "open_file",
         .key = kCtrl | ImGuiKey_O,
         .menu = Menu::open,
         .perform = [this] { requests_.choose_file = true; }},
        {.id = "reload",
         .key = kCtrl | ImGuiKey_R,
         .menu = Menu::file,
         .where = kDesktop,
         .possible = [this] { return documents.can_reload(session.scene()); },
         .perform = [this] { requests_.reload = true; }},
        {.id = "save_scene",
         .key = kCtrl | ImGuiKey_S,
         .menu = Menu::file,
         .perform = [this] { requests_.choose_target = true; }},
        {.id = "previous_card",
         .key = ImGuiKey_PageUp,
         .where = everywhere,
         .possible = [this] { return documents.can_turn(-1); },
         .perform = [this] { turn(-1); }},
        {.id = "next_card",
         .key = ImGuiKey_PageDown,
         .where = everywhere,
         .possible = [this] { return documents.can_turn(1); },
         .perform = [this] { turn(1); }},
        {.id = "undo",
         .key = kCtrl | ImGuiKey_Z,
         .where = everywhere,
         .repeats = true,
         .possible = [this] { return session.can_undo(); },
         .perform = [this] { session.undo(); }},
        {.id = "redo",
         .key = kCtrl | ImGuiKey_Y,
         .where = everywhere,
         .repeats = true,
         .possible = [this] { return session.can_redo(); },
         .perform = [this] { session.redo(); }},
        {.id = "export_as",
         .key = kCtrl | ImGuiKey_E,
         .menu = Menu::share,
         .perform = [this] { ask_export(pointed_at()); }},
        {.id = "copy_picture",
         .key = kCtrl | kShift | ImGuiKey_C,
         .menu = Menu::share,
         .perform = [this] { requests_.copy_picture = pointed_at(); }},
        {.id = "save_window",
         .key = ImGuiKey_F12,
         .menu = Menu::save,
         .where = lectures,
         .perform = [this] { requests_.save = Requests::Save{}; }},
        {.id = "save_figure",
         .key = kShift | ImGuiKey_F12,
         .menu = Menu::save,
         .where = lectures,
         .perform =
             [this] {
                 const std::string figure = pointed_at();
                 requests_.save =
                     Requests::Save{figure.empty() ? std::string(layout.tiles().front().figure) : figure};
             }},
        {.id = "save_pdf",
         .key = kCtrl | ImGuiKey_P,
         .menu = Menu::save,
         .where = desktop,
         .perform = saves(".pdf")},
        {.id = "save_svg",
         .key = kCtrl | kShift | ImGuiKey_E,
         .menu = Menu::save,
         .where = desktop,
         .perform = saves(".svg")},
        {.id = "results_json",
         .menu = Menu::save,
         .where = desktop,
         .possible = results,
         .perform = keeps(".json")},
        {.id = "results_csv",
         .menu = Menu::save,
         .where = desktop,
         .possible = results,
         .perform = keeps(".csv")},
        {.id = "results_npy",
         .menu = Menu::save,
         .where = desktop,
         .possible = results,
         .perform = keeps(".npy")},
        {.id = "copy_scene",
         .key = kCtrl | ImGuiKey_C,
         .menu = Menu::scene,
         .perform = [this] { copy(to_json(session.scene()).dump(2), "toast.copied_scene"); }},
        {.id = "paste_scene",
         .key = kCtrl | ImGuiKey_V,
         .menu = Menu::scene,
         .perform = [this] { paste_scene(); }},
        {.id = "reset_scene", .menu = Menu::scene, .perform = [this] { session.step(Scene()); }},
        {.id = "guide",
         .key = ImGuiKey_G,
         .menu = Menu::program,
         .where = kDesktop | kPage,
         .perform = [this] { controls.teaching.toggle(); }},
        {.id = "help",
         .key = ImGuiKey_F1,
         .menu = Menu::program,
         .where = everywhere,
         .over_popups = true,
         .perform = [this] { controls.help.open = !controls.help.open; }},
        {.id = "quit",
         .key = kCtrl | ImGuiKey_Q,
         .menu = Menu::program,
         .where = desktop,
         .perform = [this] { requests_.quit = true; }},
    };
}

void Workbench::move_by(std::int64_t positions, std::int64_t offset, std::int64_t pair) {
    Scene next = session.shown();
    figures::set_position(next, next.position + positions);
    figures::set_offset(next, next.offset + offset);
    next.pair = std::max<std::int64_t>(0, next.pair + pair);
    const std::int64_t pairs = encoding_of(next).pairs(next);
    if (pair > 0 && pairs > 0) next.pair = std::min(next.pair, pairs - 1);
    session.edit(std::move(next));
}

// Changes the comparison, if there is one.
void Workbench::compare(void (*change)(Scene&)) {
    if (session.scene().compare.is_null())
        return notices.say(std::string(appearance.strings().text("toast.no_b")));
    Scene next = session.scene();
    change(next);
    session.edit_a(std::move(next));
}

void Workbench::keep_b() {
    Scene next = session.scene();
    keep_as_b(next);
    const ui::Look look = appearance.look();
    notices.say(fmt::format("{}  {}", look.text("toast.kept_as_b"), caption(look, *compared_scene(next))),
                Tone::good);
    session.edit_a(std::move(next));
}

void Workbench::turn_to_bench(std::size_t forward) {
    const auto at = static_cast<std::size_t>(&bench_of(session.scene().bench) - benches().data());
    turn_to(benches()[(at + forward) % benches().size()].id);
}

// Attention is first seen with words in both directions: as they are typed, and then, one step on, with two of them
// swapped, since without a visible change there is nothing to see.
void Workbench::turn_to(std::string_view bench) {
    layout.show_bench();
    Scene next = session.scene();
    next.bench = bench;
    const bool untouched = next.content == Scene().content && next.compare.is_null();
    if (bench != "attention" || std::exchange(controls.attention_seen, true) || !untouched)
        return session.edit_a(std::move(next));
    auto words = split_words(appearance.strings().text("attention.example"));
    auto laid = overlay(next, {{"causal", false}, {"content", {{"kind", "tokens"}, {"text", words}}}});
    if (!laid) return session.edit_a(std::move(next));
    session.step(laid->scene);
    laid->scene.content.parameters["order"] = {1, 0, 2};
    session.step(std::move(laid->scene));
}

// The next mode of the hovered figure, or of the first figure that has modes.
void Workbench::turn_mode() {
    const figures::Figure* figure = figures::find_figure(hand.hovered());
    for (const Tile& tile : layout.tiles()) {
        if (figure != nullptr) break;
        const figures::Figure* one = figures::find_figure(tile.figure);
        if (one != nullptr && one->modes != nullptr) figure = one;
    }
    if (figure == nullptr || figure->modes == nullptr) return;
    Scene next = session.shown();
    const auto offered = figure->modes(next);
    const auto now = std::find(offered.begin(), offered.end(), figures::mode(*figure, next));
    const auto after = static_cast<std::size_t>(now - offered.begin() + 1) % offered.size();
    figures::set_view_value(next, figure->id, "mode", std::string(offered[after]));
    session.edit(std::move(next));
}

std::string Workbench::pointed_at() const { return std::string(alone().empty() ? hand.hovered() : alone()); }

void Workbench::paste_scene() {
    const auto text = clipboard.text();
    if (!text) return notices.say(text.error());
    const auto json = parse_json(*text);
    auto laid = json ? overlay(session.scene(), *json) : Result<Overlaid>(tl::unexpected(json.error()));
    if (!laid) return notices.say(laid.error());
    session.step(std::move(laid->scene), std::move(laid->adjusted));
}

void Workbench::copy(const Result<std::string>& text, std::string_view toast) {
    if (!text) return notices.say(text.error());
    if (const auto put = clipboard.put(*text); !put) return notices.say(put.error());
    notices.say(std::string(appearance.strings().text(toast)), Tone::good);
}

void Workbench::copy_numbers(const figures::Figure& figure, bool line_only) {
    if (!line_only) return copy(numbers_text(figure, session.shown()), "toast.copied_numbers");
    if (const auto line = line_text(figure, session.shown(), stage_.menu_link))
        copy(*line, "toast.copied_line");
}

}  // namespace posiscope::workbench
