// action_list.cpp — every action: name, keys, place in help and menus, where and when it is possible, and what it does. Help
// and menus keep this order.
#include "app/workbench/share/caption.hpp"
#include "app/workbench/workbench.hpp"

#include <imgui.h>

namespace posiscope::workbench {
namespace {

constexpr int kCtrl = ImGuiMod_Ctrl, kShifted = ImGuiMod_Shift;

void next_side(Scene& scene) {
    const std::size_t now = static_cast<std::size_t>(sides(scene));
    show_sides(scene, static_cast<Sides>((now + 1) % sides_names().size()));
}

// Changes the comparison, if there is one.
void compare(Session& session, Notices& notices, void (*change)(Scene&)) {
    if (session.scene().compare.is_null())
        return notices.say(std::string(notices.strings().text("toast.no_b")));
    Scene next = session.scene();
    change(next);
    session.edit_a(std::move(next));
}

void keep_b(Session& session, Notices& notices, const ui::Look& look) {
    Scene next = session.scene();
    keep_as_b(next);
    notices.say(fmt::format("{}  {}", look.text("toast.kept_as_b"), caption(look, *compared_scene(next))),
                Tone::good);
    session.edit_a(std::move(next));
}

std::string_view next_theme(std::string_view name) {
    const auto themes = ui::themes();
    for (std::size_t i = 0; i < themes.size(); ++i)
        if (themes[i].name == name) return themes[(i + 1) % themes.size()].name;
    return themes.front().name;
}

}  // namespace

std::vector<panels::Action> Workbench::action_list() {
    using panels::Group, panels::Menu, panels::Verb;
    using panels::kDesktop, panels::kPage, panels::kPresenting;
    constexpr unsigned everywhere = kDesktop | kPage | kPresenting, offered = kDesktop | kPage,
                       desktop = kDesktop, lectures = kDesktop | kPresenting;
    const auto pages = [this](int by) { return lecture.takes_digits() || documents.can_turn(by); };
    const auto turn_page = [this](int by) {
        if (!lecture.turn(by)) carry_out({Verb::turn_file, {}, {}, by});
    };
    const auto moves = [this, pages, turn_page](std::string_view id, int key, std::int64_t positions,
                                                std::int64_t offset, std::int64_t pair) {
        // In a lecture of several pages the arrows turn them, one at a press.
        const bool arrow = key == ImGuiKey_LeftArrow || key == ImGuiKey_RightArrow;
        return panels::Action{.id = id,
                              .key = key,
                              .group = Group::explore,
                              .where = everywhere,
                              .repeats = true,
                              .perform = [=, this] {
                                  const int by = positions < 0 ? -1 : 1;
                                  if (!arrow || !lecture.on() || !pages(by))
                                      return navigation.move_by(positions, offset, pair);
                                  if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) turn_page(by);
                              }};
    };
    const auto presents = [this](std::string_view id, int key, std::function<void()> perform,
                                 std::array<int, 2> also = {}, bool held = false) {
        return panels::Action{.id = id,
                              .key = key,
                              .also = also,
                              .group = Group::lecture,
                              .where = kPresenting,
                              .held = held,
                              .possible = [this] { return lecture.on(); },
                              .perform = std::move(perform)};
    };
    const auto shows = [this](std::size_t index) {
        return [=, this] {
            if (!lecture.takes_digits())
                navigation.show_figure(index);  // there a digit is of a step's number
        };
    };
    const auto asks = [this](Verb verb, std::string_view value = {}) {
        return [=, this] { carry_out({verb, {}, std::string(value)}); };
    };
    const auto saves = [this](std::string_view ending) {
        return [=, this] { carry_out({Verb::save_picture, navigation.pointed_at(), std::string(ending)}); };
    };
    const auto results = [this] {
        const auto& bank = training.trainer().bank();
        return session.scene().bench == "experiment" && bank && bank->finished() > 0;
    };
    const auto enlarges = [this](int by) {
        return [=, this] {
            if (!sizing.enlarge(by))
                notices.say(
                    std::string(appearance.strings().text(by > 0 ? "toast.largest" : "toast.smallest")));
        };
    };
    const auto turns = [turn_page](int by) { return [=] { turn_page(by); }; };
    const auto row = [](std::string_view id, int key, Group group, Menu menu, unsigned where,
                        std::function<void()> perform, std::function<bool()> possible = {}) {
        return panels::Action{.id = id,
                              .key = key,
                              .group = group,
                              .menu = menu,
                              .where = where,
                              .possible = std::move(possible),
                              .perform = std::move(perform)};
    };
    const auto compared = [this] { return session.b() != nullptr; };
    const auto taught = [this] { return teaching.guide().lesson() != nullptr; };
    return {
        row("play", ImGuiKey_Space, Group::explore, Menu::none, everywhere,
            [this] { playing.on = !playing.on; }),
        moves("position_back", ImGuiKey_LeftArrow, -1, 0, 0),
        moves("position_forward", ImGuiKey_RightArrow, 1, 0, 0),
        moves("position_back_ten", kShifted | ImGuiKey_LeftArrow, -10, 0, 0),
        moves("position_forward_ten", kShifted | ImGuiKey_RightArrow, 10, 0, 0),
        moves("offset_less", ImGuiKey_LeftBracket, 0, -1, 0),
        moves("offset_more", ImGuiKey_RightBracket, 0, 1, 0),
        moves("pair_previous", ImGuiKey_UpArrow, 0, 0, -1),
        moves("pair_next", ImGuiKey_DownArrow, 0, 0, 1),
        row("wide", ImGuiKey_W, Group::explore, Menu::none, everywhere, [this] { navigation.turn_width(); }),
        row("next_mode", ImGuiKey_F, Group::explore, Menu::none, everywhere,
            [this] { navigation.turn_mode(); }),
        row("compare_keep", ImGuiKey_C, Group::explore, Menu::compare, offered,
            [this] { keep_b(session, notices, appearance.look()); }),
        row(
            "compare_swap", ImGuiKey_X, Group::explore, Menu::compare, offered,
            [this] { compare(session, notices, swap_sides); }, compared),
        row(
            "compare_next", ImGuiKey_V, Group::explore, Menu::compare, everywhere,
            [this] { compare(session, notices, next_side); }, compared),
        row(
            "compare_end", 0, Group::explore, Menu::compare, offered,
            [this] { compare(session, notices, end_comparison); }, compared),

        row("whole_bench", ImGuiKey_0, Group::look, Menu::bench, everywhere,
            [this] {
                const bool digit = !lecture.band(appearance.strings()).typed.empty();  // as of 40
                if (!digit) layout.show_bench();
            }),
        row("leave", ImGuiKey_Escape, Group::look, Menu::none, everywhere,
            [this] {
                if (sharing.room_code.shown()) return sharing.room_code.hide();
                if (sharing.either) return sharing.either.reset();
                if (std::exchange(offers_before_, false)) return;
                if (lecture.on()) return lecture.present(false);
                if (!layout.alone().empty() || !teaching.escape()) layout.show_bench();
            }),
        row("figure_1", ImGuiKey_1, Group::look, Menu::none, everywhere, shows(0)),
        row("figure_2", ImGuiKey_2, Group::look, Menu::none, everywhere, shows(1)),
        row("figure_3", ImGuiKey_3, Group::look, Menu::none, everywhere, shows(2)),
        row("figure_4", ImGuiKey_4, Group::look, Menu::none, everywhere, shows(3)),
        row("previous_bench", kCtrl | ImGuiKey_LeftArrow, Group::look, Menu::bench, offered,
            [this] { navigation.turn_to_bench(benches().size() - 1); }),
        row("next_bench", kCtrl | ImGuiKey_RightArrow, Group::look, Menu::bench, offered,
            [this] { navigation.turn_to_bench(1); }),
        row("reset_layout", 0, Group::look, Menu::bench, offered,
            [this] {
                preferences.splits.erase(std::string(bench_of(session.scene().bench).id));
                layout.show_bench();
            }),
        row("theme", ImGuiKey_T, Group::look, Menu::none, everywhere,
            [this] {
                std::string& theme = lecture.on() ? preferences.presenting_theme : preferences.theme;
                theme = next_theme(theme);
            }),
        row("language", ImGuiKey_L, Group::look, Menu::none, everywhere,
            [this] { preferences.language = preferences.language == "zh" ? "en" : "zh"; }),
        // Many keyboards need Shift for "+", and the number pad has its own.
        {.id = "larger",
         .key = kCtrl | ImGuiKey_Equal,
         .also = {kCtrl | kShifted | ImGuiKey_Equal, kCtrl | ImGuiKey_KeypadAdd},
         .group = Group::look,
         .menu = Menu::size,
         .where = lectures,
         .perform = enlarges(1)},
        {.id = "smaller",
         .key = kCtrl | ImGuiKey_Minus,
         .also = {kCtrl | ImGuiKey_KeypadSubtract},
         .group = Group::look,
         .menu = Menu::size,
         .where = lectures,
         .perform = enlarges(-1)},
        row("normal_size", kCtrl | ImGuiKey_0, Group::look, Menu::size, lectures,
            [this] { preferences.scale = 1.0; }),
        row("sidebar", ImGuiKey_S, Group::look, Menu::size, offered, [this] { sizing.toggle_sidebar(); }),
        {.id = "full_screen",
         .key = ImGuiKey_F11,
         .on_page = kShifted | ImGuiKey_F,
         .group = Group::look,
         .menu = Menu::size,
         .where = everywhere,
         .perform = asks(Verb::full_screen)},
        {.id = "present",
         .key = ImGuiKey_F5,
         .on_page = ImGuiKey_P,
         .group = Group::lecture,
         .menu = Menu::program,
         .where = everywhere,
         .perform = [this] { lecture.present(!lecture.on()); }},
        presents("blank", ImGuiKey_B, [this] { lecture.presenting.toggle_blank(); }, {ImGuiKey_Period}),
        presents("draw", ImGuiKey_I,
                 [this] { lecture.presenting.drawing.on = !lecture.presenting.drawing.on; }, {ImGuiKey_D}),
        presents("clear_drawing", ImGuiKey_E, [this] { lecture.presenting.drawing.strokes.clear(); },
                 {ImGuiKey_Delete}),
        presents("restart_step", ImGuiKey_R, [this] { lecture.restart_step(); }),
        presents("restart", kShifted | ImGuiKey_R, [this] { lecture.restart(); }, {ImGuiKey_Home}),
        presents("clock", kShifted | ImGuiKey_N, [this] { lecture.toggle_clock(); }),
        presents("notes", ImGuiKey_N, [this] { lecture.toggle_notes(); }),
        row(
            "lecturer_page", kCtrl | ImGuiKey_N, Group::lecture, Menu::none, lectures,
            [this] { lecture.show_page(lecture.on() && !lecture.page_shown()); },
            [this] { return lecture.on(); }),
        row("swap_screens", kCtrl | ImGuiKey_M, Group::lecture, Menu::none, lectures,
            asks(Verb::swap_screens), [this] { return lecture.page_shown(); }),
        presents("step_map", ImGuiKey_M, [this] { lecture.toggle_map(); }),
        presents("jump", ImGuiKey_Enter, [this] { lecture.jump(); }, {ImGuiKey_KeypadEnter}),
        presents(
            "laser", ImGuiKey_A, [this] { lecture.use_laser(); }, {}, true),
        presents(
            "lens", ImGuiKey_Z, [this] { lecture.use_lens(); }, {}, true),

        row("open_file", kCtrl | ImGuiKey_O, Group::keep, Menu::open, offered, asks(Verb::choose_file)),
        row("reload", kCtrl | ImGuiKey_R, Group::keep, Menu::file, kDesktop, asks(Verb::reload),
            [this] { return documents.can_reload(session.scene()); }),
        row(
            "follow_file", 0, Group::keep, Menu::file, kDesktop,
            [this] {
                documents.follow(!documents.follows());
                notices.say(std::string(appearance.strings().text(documents.follows() ? "toast.follows"
                                                                                      : "toast.follows_not")),
                            Tone::note);
            },
            [this] { return documents.can_reload(session.scene()); }),
        row("save_scene", kCtrl | ImGuiKey_S, Group::keep, Menu::file, offered,
            asks(Verb::choose_scene_target)),
        row("add_step", 0, Group::keep, Menu::file, desktop, asks(Verb::add_step)),
        row("record_task", 0, Group::keep, Menu::file, desktop, asks(Verb::record_task),
            [this] { return teaching.own_file() != nullptr; }),
        row("handout", 0, Group::keep, Menu::share, desktop, asks(Verb::handout), taught),
        row("slides", 0, Group::keep, Menu::share, desktop, asks(Verb::slides), taught),
        row("previous_card", ImGuiKey_PageUp, Group::keep, Menu::none, everywhere, turns(-1),
            [this] { return documents.can_turn(-1); }),
        row("next_card", ImGuiKey_PageDown, Group::keep, Menu::none, everywhere, turns(1),
            [this] { return documents.can_turn(1); }),
        {.id = "undo",
         .key = kCtrl | ImGuiKey_Z,
         .where = everywhere,
         .repeats = true,
         .possible = [this] { return session.can_undo() || !host.formulas.slot.empty(); },
         .perform =
             [this] {
                 if (host.formulas.drop_draft()) return;
                 playing.on = false;  // or it would run from there, and be what the next one takes back
                 session.undo();
             }},
        {.id = "redo",
         .key = kCtrl | ImGuiKey_Y,
         .where = everywhere,
         .repeats = true,
         .possible = [this] { return session.can_redo(); },
         .perform = [this] { session.redo(); }},
        {.id = "export_as",
         .key = kCtrl | ImGuiKey_E,
         .on_page = kShifted | ImGuiKey_E,
         .menu = Menu::share,
         .perform = [this] { sharing.ask_export(navigation.pointed_at()); }},
        row("copy_picture", kCtrl | kShifted | ImGuiKey_C, Group::keep, Menu::share, offered,
            [this] {
                carry_out({Verb::copy_picture, navigation.pointed_at()});
            }),
        row("save_window", ImGuiKey_F12, Group::keep, Menu::save, everywhere,
            asks(Verb::save_picture, ".png")),
        row("save_figure", kShifted | ImGuiKey_F12, Group::keep, Menu::save, everywhere,
            [this] {
                const std::string figure = navigation.pointed_at();
                carry_out({Verb::save_picture,
                           figure.empty() ? std::string(layout.tiles().front().figure) : figure, ".png"});
            }),
        row("save_pdf", kCtrl | ImGuiKey_P, Group::keep, Menu::save, desktop, saves(".pdf")),
        row("save_svg", kCtrl | kShifted | ImGuiKey_E, Group::keep, Menu::save, desktop, saves(".svg")),
        row("results_json", 0, Group::keep, Menu::save, offered, asks(Verb::save_results, ".json"), results),
        row("results_csv", 0, Group::keep, Menu::save, offered, asks(Verb::save_results, ".csv"), results),
        row("results_npy", 0, Group::keep, Menu::save, offered, asks(Verb::save_results, ".npy"), results),
        row("copy_scene", kCtrl | ImGuiKey_C, Group::keep, Menu::scene, offered,
            [this] { sharing.copy(to_json(session.scene()).dump(2), "toast.copied_scene"); }),
        row("copy_link", kCtrl | kShifted | ImGuiKey_L, Group::keep, Menu::scene, offered,
            [this] { sharing.copy_link(); }),
        row("room_code", ImGuiKey_Q, Group::keep, Menu::scene, everywhere,
            [this] { sharing.show_room_code(); }),
        row("paste_scene", kCtrl | ImGuiKey_V, Group::keep, Menu::scene, offered,
            [this] { sharing.paste(); }),
        row("reset_scene", 0, Group::keep, Menu::scene, offered, [this] { session.step(Scene()); }),
        row("guide", ImGuiKey_G, Group::keep, Menu::program, kDesktop | kPage,
            [this] {
                teaching.toggle();
                preferences.lessons_offered = true;
            }),
        row("find", kCtrl | ImGuiKey_K, Group::keep, Menu::program, offered,
            [this] { host.find_anything(); }),
        {.id = "help",
         .key = ImGuiKey_F1,
         .menu = Menu::program,
         .where = everywhere,
         .over_popups = true,
         .perform = [this] { help.open = !help.open; }},
        row("forget", 0, Group::keep, Menu::program, kPage,
            [this] {
                sharing.either =
                    Either{{"forget.question", {}}, "question.forget", {}, {Verb::forget}, {}, {}};
            }),
        row("quit", kCtrl | ImGuiKey_Q, Group::keep, Menu::program, desktop, asks(Verb::quit)),
    };
}

}  // namespace posiscope::workbench
