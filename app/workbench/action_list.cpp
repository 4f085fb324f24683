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
    using panels::Group, panels::Menu;
    using panels::kDesktop, panels::kPage, panels::kPresenting;
    constexpr unsigned everywhere = kDesktop | kPage | kPresenting, desktop = kDesktop,
                       lectures = kDesktop | kPresenting;
    const auto pages = [this](int by) { return lecture.takes_digits() || documents.can_turn(by); };
    const auto turn_page = [this](int by) {
        if (!lecture.turn(by)) requests_.push_back(TurnFile{by});
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
    const auto asks = [this](Request request) { return [=, this] { requests_.push_back(request); }; };
    const auto saves = [this](std::string_view ending) {
        return [=, this] { requests_.push_back(SavePicture{navigation.pointed_at(), ending}); };
    };
    const auto keeps = [asks](std::string_view ending) { return asks(SaveResults{ending}); };
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
    const auto compared = [this] { return session.b() != nullptr; };
    const auto taught = [this] { return teaching.guide().lesson() != nullptr; };
    return {
        {.id = "play",
         .key = ImGuiKey_Space,
         .group = Group::explore,
         .where = everywhere,
         .perform = [this] { playing.on = !playing.on; }},
        moves("position_back", ImGuiKey_LeftArrow, -1, 0, 0),
        moves("position_forward", ImGuiKey_RightArrow, 1, 0, 0),
        moves("position_back_ten", kShifted | ImGuiKey_LeftArrow, -10, 0, 0),
        moves("position_forward_ten", kShifted | ImGuiKey_RightArrow, 10, 0, 0),
        moves("offset_less", ImGuiKey_LeftBracket, 0, -1, 0),
        moves("offset_more", ImGuiKey_RightBracket, 0, 1, 0),
        moves("pair_previous", ImGuiKey_UpArrow, 0, 0, -1),
        moves("pair_next", ImGuiKey_DownArrow, 0, 0, 1),
        {.id = "wide",
         .key = ImGuiKey_W,
         .group = Group::explore,
         .where = everywhere,
         .perform = [this] { navigation.turn_width(); }},
        {.id = "next_mode",
         .key = ImGuiKey_F,
         .group = Group::explore,
         .where = everywhere,
         .perform = [this] { navigation.turn_mode(); }},
        {.id = "compare_keep",
         .key = ImGuiKey_C,
         .group = Group::explore,
         .menu = Menu::compare,
         .perform = [this] { keep_b(session, notices, appearance.look()); }},
        {.id = "compare_swap",
         .key = ImGuiKey_X,
         .group = Group::explore,
         .menu = Menu::compare,
         .possible = compared,
         .perform = [this] { compare(session, notices, swap_sides); }},
        {.id = "compare_next",
         .key = ImGuiKey_V,
         .group = Group::explore,
         .menu = Menu::compare,
         .where = everywhere,
         .possible = compared,
         .perform = [this] { compare(session, notices, next_side); }},
        {.id = "compare_end",
         .group = Group::explore,
         .menu = Menu::compare,
         .possible = compared,
         .perform = [this] { compare(session, notices, end_comparison); }},

        {.id = "whole_bench",
         .key = ImGuiKey_0,
         .group = Group::look,
         .menu = Menu::bench,
         .where = everywhere,
         .perform =
             [this] {
                 const bool digit = !lecture.band(appearance.strings()).typed.empty();  // as of 40
                 if (!digit) layout.show_bench();
             }},
        {.id = "leave",
         .key = ImGuiKey_Escape,
         .group = Group::look,
         .where = everywhere,
         .perform =
             [this] {
                 if (sharing.room_code.shown()) return sharing.room_code.hide();
                 if (sharing.either) return sharing.either.reset();
                 if (std::exchange(offers_before_, false)) return;
                 if (lecture.on()) return lecture.present(false);
                 if (!layout.alone().empty() || !teaching.escape()) layout.show_bench();
             }},
        {.id = "figure_1", .key = ImGuiKey_1, .group = Group::look, .where = everywhere, .perform = shows(0)},
        {.id = "figure_2", .key = ImGuiKey_2, .group = Group::look, .where = everywhere, .perform = shows(1)},
        {.id = "figure_3", .key = ImGuiKey_3, .group = Group::look, .where = everywhere, .perform = shows(2)},
        {.id = "figure_4", .key = ImGuiKey_4, .group = Group::look, .where = everywhere, .perform = shows(3)},
        {.id = "previous_bench",
         .key = kCtrl | ImGuiKey_LeftArrow,
         .group = Group::look,
         .menu = Menu::bench,
         .perform = [this] { navigation.turn_to_bench(benches().size() - 1); }},
        {.id = "next_bench",
         .key = kCtrl | ImGuiKey_RightArrow,
         .group = Group::look,
         .menu = Menu::bench,
         .perform = [this] { navigation.turn_to_bench(1); }},
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
                 std::string& theme = lecture.on() ? preferences.presenting_theme : preferences.theme;
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
         .perform = [this] { sizing.toggle_sidebar(); }},
        {.id = "full_screen",
         .key = ImGuiKey_F11,
         .on_page = kShifted | ImGuiKey_F,
         .group = Group::look,
         .menu = Menu::size,
         .where = everywhere,
         .perform = asks(DoInWindow::full_screen)},
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
        {.id = "lecturer_page",
         .key = kCtrl | ImGuiKey_N,
         .group = Group::lecture,
         .where = lectures,
         .possible = [this] { return lecture.on(); },
         .perform = [this] { lecture.show_page(lecture.on() && !lecture.page_shown()); }},
        {.id = "swap_screens",
         .key = kCtrl | ImGuiKey_M,
         .group = Group::lecture,
         .where = lectures,
         .possible = [this] { return lecture.page_shown(); },
         .perform = asks(DoInWindow::swap_screens)},
        presents("step_map", ImGuiKey_M, [this] { lecture.toggle_map(); }),
        presents("jump", ImGuiKey_Enter, [this] { lecture.jump(); }, {ImGuiKey_KeypadEnter}),
        presents(
            "laser", ImGuiKey_A, [this] { lecture.use_laser(); }, {}, true),
        presents(
            "lens", ImGuiKey_Z, [this] { lecture.use_lens(); }, {}, true),

        {.id = "open_file", .key = kCtrl | ImGuiKey_O, .menu = Menu::open, .perform = asks(Choose::file)},
        {.id = "reload",
         .key = kCtrl | ImGuiKey_R,
         .menu = Menu::file,
         .where = kDesktop,
         .possible = [this] { return documents.can_reload(session.scene()); },
         .perform = asks(Do::reload)},
        {.id = "follow_file",
         .menu = Menu::file,
         .where = kDesktop,
         .possible = [this] { return documents.can_reload(session.scene()); },
         .perform =
             [this] {
                 documents.follow(!documents.follows());
                 notices.say(std::string(appearance.strings().text(
                                 documents.follows() ? "toast.follows" : "toast.follows_not")),
                             Tone::note);
             }},
        {.id = "save_scene",
         .key = kCtrl | ImGuiKey_S,
         .menu = Menu::file,
         .perform = asks(Choose::scene_target)},
        {.id = "add_step", .menu = Menu::file, .where = desktop, .perform = asks(Do::add_step)},
        {.id = "record_task",
         .menu = Menu::file,
         .where = desktop,
         .possible = [this] { return teaching.own_file() != nullptr; },
         .perform = asks(Do::record_task)},
        {.id = "handout",
         .menu = Menu::share,
         .where = desktop,
         .possible = taught,
         .perform = asks(Do::handout)},
        {.id = "slides",
         .menu = Menu::share,
         .where = desktop,
         .possible = taught,
         .perform = asks(Do::slides)},
        {.id = "previous_card",
         .key = ImGuiKey_PageUp,
         .where = everywhere,
         .possible = [this] { return documents.can_turn(-1); },
         .perform = turns(-1)},
        {.id = "next_card",
         .key = ImGuiKey_PageDown,
         .where = everywhere,
         .possible = [this] { return documents.can_turn(1); },
         .perform = turns(1)},
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
        {.id = "copy_picture",
         .key = kCtrl | kShifted | ImGuiKey_C,
         .menu = Menu::share,
         .perform = [this] { requests_.push_back(CopyPicture{navigation.pointed_at()}); }},
        {.id = "save_window",
         .key = ImGuiKey_F12,
         .menu = Menu::save,
         .where = everywhere,
         .perform = asks(SavePicture{})},
        {.id = "save_figure",
         .key = kShifted | ImGuiKey_F12,
         .menu = Menu::save,
         .where = everywhere,
         .perform =
             [this] {
                 const std::string figure = navigation.pointed_at();
                 requests_.push_back(
                     SavePicture{figure.empty() ? std::string(layout.tiles().front().figure) : figure});
             }},
        {.id = "save_pdf",
         .key = kCtrl | ImGuiKey_P,
         .menu = Menu::save,
         .where = desktop,
         .perform = saves(".pdf")},
        {.id = "save_svg",
         .key = kCtrl | kShifted | ImGuiKey_E,
         .menu = Menu::save,
         .where = desktop,
         .perform = saves(".svg")},
        {.id = "results_json", .menu = Menu::save, .possible = results, .perform = keeps(".json")},
        {.id = "results_csv", .menu = Menu::save, .possible = results, .perform = keeps(".csv")},
        {.id = "results_npy", .menu = Menu::save, .possible = results, .perform = keeps(".npy")},
        {.id = "copy_scene",
         .key = kCtrl | ImGuiKey_C,
         .menu = Menu::scene,
         .perform = [this] { sharing.copy(to_json(session.scene()).dump(2), "toast.copied_scene"); }},
        {.id = "copy_link",
         .key = kCtrl | kShifted | ImGuiKey_L,
         .menu = Menu::scene,
         .perform = [this] { sharing.copy_link(); }},
        {.id = "room_code",
         .key = ImGuiKey_Q,
         .menu = Menu::scene,
         .where = everywhere,
         .perform = [this] { sharing.show_room_code(); }},
        {.id = "paste_scene",
         .key = kCtrl | ImGuiKey_V,
         .menu = Menu::scene,
         .perform = [this] { sharing.paste(); }},
        {.id = "reset_scene", .menu = Menu::scene, .perform = [this] { session.step(Scene()); }},
        {.id = "guide",
         .key = ImGuiKey_G,
         .menu = Menu::program,
         .where = kDesktop | kPage,
         .perform =
             [this] {
                 teaching.toggle();
                 preferences.lessons_offered = true;
             }},
        {.id = "find",
         .key = kCtrl | ImGuiKey_K,
         .menu = Menu::program,
         .perform = [this] { host.find_anything(); }},
        {.id = "help",
         .key = ImGuiKey_F1,
         .menu = Menu::program,
         .where = everywhere,
         .over_popups = true,
         .perform = [this] { help.open = !help.open; }},
        {.id = "forget",
         .menu = Menu::program,
         .where = kPage,
         .perform =
             [this] {
                 sharing.either =
                     Either{{"forget.question", {}}, "question.forget", {}, DoInWindow::forget, {}, {}};
             }},
        {.id = "quit",
         .key = kCtrl | ImGuiKey_Q,
         .menu = Menu::program,
         .where = desktop,
         .perform = asks(DoInWindow::quit)},
    };
}

}  // namespace posiscope::workbench
