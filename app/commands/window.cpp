// window.cpp — posiscope [FILE...]: the window.
#include "app/platform/window.hpp"
#include "app/commands/command.hpp"
#include "app/commands/streams.hpp"
#include "app/export/icon.hpp"
#include "app/figures/parts/background.hpp"
#include "app/platform/attempt.hpp"
#include "app/platform/interruption.hpp"
#include "app/platform/paths.hpp"
#include "app/workbench/document/autosave.hpp"
#include "app/workbench/lecturer_page.hpp"
#include "app/workbench/service.hpp"
#include "core/cost.hpp"
#include "core/formats/table.hpp"
#include "core/scene/source.hpp"

#include <imgui.h>
#include <memory>
#include <utility>

namespace posiscope::commands {
namespace window_command {
namespace {

// The first scene: the first of the files, or the last session, with -s and --set applied. Files that take longer than a frame
// may are read once there is a window.
struct Start {
    Scene scene;
    std::vector<workbench::Opened> cards;
    std::vector<std::string> later = {};
    std::vector<Problem> notes, origin;
};
Result<Start> start_of(const std::vector<std::string>& files, const SharedOptions& shared,
                       const Terminal& terminal, const platform::Folders& folders, bool last_failed) {
    Start start;
    bool later = workbench::Service::takes_long(files);
    for (const std::string& file : files) {
        if (link_of_word(file)) {  // of one Scene, laid over the default one
            if (files.size() > 1) return refuse("link.alone");
            auto laid = read_scene(Scene(), file, Unread::asked_for);
            if (!laid) return tl::unexpected(laid.error());
            start.scene = std::move(laid->scene);
            start.notes = std::move(laid->adjusted);
            continue;
        }
        // A bare word that is not a file is more likely a mistyped command.
        if (std::error_code ignored;
            file.find_first_of("./") == std::string::npos && !std::filesystem::exists(file, ignored))
            return tl::unexpected(unknown_command(file));
        if (!later) {
            auto opened =
                try_within_budget(figures::kFrameWork, [&] { return workbench::open_file(file, Scene()); });
            if (opened && !*opened) return tl::unexpected(opened->error());
            if (opened) {
                start.cards.push_back(std::move(**opened));
                continue;
            }
            later = true;
            start.later.assign(files.begin(), files.begin() + std::ssize(start.cards));
            start.cards.clear();
        }
        start.later.push_back(file);
    }
    if (files.empty()) {
        auto session = last_failed ? workbench::set_session_aside(folders.state)
                                   : workbench::load_session(folders.state);
        start.scene = std::move(session.value);
        if (session.problem) start.notes.push_back(std::move(*session.problem));
    } else if (!start.cards.empty()) {
        start.scene = start.cards[0].scene;
        start.notes = start.cards[0].adjusted;
        start.origin = start.cards[0].origin;
    }
    if (!shared.model.empty())  // keeps the notes on its settings visible
        if (auto model = read_model(shared.model)) start.origin = std::move(model->notes);
    if (shared.allow_files)
        for (const std::string* path : files_to_ask_for(start.scene)) allow_table(*path);
    const Unread unread = shared.allow_files ? Unread::allowed : Unread::asked_for;
    auto laid = shared.scene(terminal, std::move(start.scene), unread);
    if (!laid) return tl::unexpected(laid.error());
    start.scene = std::move(*laid);
    return start;
}

Result<void> run(const std::vector<std::string>& paths, const SharedOptions& shared,
                 const Terminal& terminal) {
    const platform::Folders folders = platform::user_folders();
    platform::Attempt first_picture(folders.state / "session.opening");
    auto start = start_of(paths, shared, terminal, folders, first_picture.last_failed());
    if (!start) return tl::unexpected(start.error());
    std::vector<Problem>& notes = start->notes;
    std::error_code ignored;
    const bool first_start = !std::filesystem::exists(folders.config / "preferences.json", ignored);
    auto [preferences, damaged] = workbench::load_preferences(folders.config);
    const workbench::Preferences loaded = preferences;
    if (first_start && paths.empty()) preferences.lessons_offered = false;
    if (damaged) notes.push_back(std::move(*damaged));
    if (!shared.language.empty() || preferences.language.empty())
        preferences.language = std::string(code(terminal.strings.language()));

    for (const std::string& opened : preferences.recent) allow_table(opened);  // a person chose them

    auto window = platform::Window::open("Posiscope", {preferences.x, preferences.y, preferences.width,
                                                       preferences.height, preferences.maximised});
    if (!window) return tl::unexpected(window.error());
    (*window)->set_icon(64, exporting::icon(64).rgba);
    auto layers = canvas::Layers::create(canvas::Target::window);
    if (!layers) return tl::unexpected(layers.error());
    const auto wake = [&] { (*window)->wake(); };
    workbench::Workbench bench(std::move(start->scene), std::move(preferences), &*layers, wake);
    bench.sharing.clipboard.set_way([&](const char* text) { return (*window)->set_clipboard(text); });
    figures::Background background(wake);
    bench.work_in(background);
    workbench::Service service(bench, platform::picture_folder(), wake);
    service.adopt(std::move(start->cards));
    if (!start->later.empty()) service.open(start->later);
    bench.notes.set_origin(std::move(start->origin), bench.session.scene().encoding);
    workbench::recall(bench, folders);
    for (const Problem& note : notes) bench.notices.say(note, workbench::Tone::note);

    workbench::Autosave autosave(folders, loaded, wake);
    platform::Interruption interruption(wake);
    // With two monitors, or where somebody asks for it, the lecturer has a page beside the slide.
    bool presented = false, filled = false, fills_before = false;
    std::weak_ptr<workbench::LecturerPage> page;
    const auto follow_page = [&] {
        workbench::Lecture& lecture = bench.lecture;
        if (std::exchange(presented, lecture.on()) != lecture.on())
            lecture.show_page(lecture.on() && platform::Window::monitors() > 1);
        if ((*window)->beside_left()) lecture.show_page(false);
        if (!lecture.page_shown()) (*window)->close_beside();
        else if (!(*window)->has_beside())
            (*window)->open_beside(
                "Posiscope",
                [&] {
                    auto made = std::make_shared<workbench::LecturerPage>(bench, wake);
                    page = made;
                    return [made] { made->draw(); };
                },
                workbench::fit_lecturer_page);
        if (!(*window)->has_beside()) lecture.show_page(false);  // the system has no further window
        if (const auto shown = page.lock(); shown && shown->due()) (*window)->draw_beside();
    };
    // Presenting fills the screen, unless the page is on the same one, and gives back what it took.
    const auto fill_screen = [&] {
        const bool fills =
            bench.lecture.on() && (!bench.lecture.page_shown() || platform::Window::monitors() > 1);
        if (std::exchange(fills_before, fills) == fills) return;
        const bool full = (*window)->full_screen();
        if (fills ? !full : full && filled) (*window)->toggle_full_screen();
        filled = fills && !full;
    };
    using Next = platform::Window::Next;
    bool drawn = false;
    if (paths.empty()) first_picture.begin();  // with all that is computed for it
    (*window)->run(
        [&](float seconds) {
            if (drawn && !background.working()) first_picture.succeed();
            drawn = true;
            background.begin_frame();
            if (const auto shortage = (*window)->take_shortage()) bench.notices.say(*shortage);
            const workbench::AfterFrame after = [&] {
                const Impatient drawing;
                return bench.frame(seconds, (*window)->pixels_per_point());
            }();
            (*window)->set_ground(bench.appearance.theme().ground);
            if (const auto dropped = (*window)->take_dropped(); !dropped.empty()) service.open(dropped);
            service.run_requests(after.requests, ImGui::GetTime());
            if (after.asks(panels::Verb::full_screen)) (*window)->toggle_full_screen();
            if (after.asks(panels::Verb::swap_screens)) (*window)->swap_screens();
            follow_page();
            fill_screen();
            const platform::Geometry at = (*window)->geometry();
            workbench::Preferences& now = bench.preferences;
            now.x = at.x, now.y = at.y, now.width = at.width, now.height = at.height,
            now.maximised = at.maximised;
            autosave.keep(bench, after.scene_changed);
            return after.asks(panels::Verb::quit) || interruption.asked() || layers->heatmaps.problem()
                       ? Next::close
                   : after.animating || bench.training.trainer().runs_inline() || background.runs_inline()
                       ? Next::animate
                   : after.ticking || first_picture.under_way() ? Next::blink
                                                                : Next::wait;
        },
        [&](int width, int height, float monitor) { return bench.sizing.fit(width, height, monitor); });
    first_picture.succeed();
    bench.training.trainer().stop();
    for (const Problem& failed : autosave.finish(bench)) terminal.say_error(failed);
    interruption.pass_on();
    for (const std::optional<Problem>& problem : {(*window)->problem(), layers->heatmaps.problem()})
        if (problem) return tl::unexpected(*problem);
    return {};
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto files = std::make_shared<std::vector<std::string>>();
    add_option(app, "FILE", *files, strings.text("option.file.help"), "");
    return [files, &shared](const Terminal& terminal) { return run(*files, shared, terminal); };
}

}  // namespace
}  // namespace window_command

extern const Command kWindow{"", window_command::add};

}  // namespace posiscope::commands
