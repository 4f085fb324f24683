#include "app/workbench/service.hpp"

#include "app/figures/parts/background.hpp"
#include "app/platform/host.hpp"
#include "app/platform/paths.hpp"
#include "app/workbench/document/lesson_file.hpp"
#include "app/workbench/share/picture.hpp"
#include "app/workbench/workbench.hpp"
#include "core/cost.hpp"
#include "core/formats/file.hpp"
#include "core/formats/table.hpp"
#include "core/scene/keys.hpp"

#include <exception>
#include <new>

namespace posiscope::workbench {
namespace {

using Kind = platform::FileDialog::Kind;
using panels::Verb;

Result<void> plainly(const Result<std::string>& done) {
    return done ? Result<void>() : Result<void>(tl::unexpected(done.error()));
}

// An image that fails costs that image, not the window.
template <class Make>
void attempt(Notices& notices, Make make) {
    try {
        make();
    } catch (const std::bad_alloc&) {
        notices.say(Problem{"memory.exhausted", {}, Cause::failure});
    } catch (const std::exception& error) {
        notices.say(Problem{"picture.failed", {{"detail", error.what()}}, Cause::failure});
    }
}

}  // namespace

Service::Service(Workbench& bench, std::filesystem::path folder, const std::function<void()>& wake)
    : bench_(bench),
      folder_(std::move(folder)),
      dialog_(wake),
      clipboard_(wake),
      reader_({.threads = platform::has_threads() ? std::size_t{1} : 0, .ended = wake}) {
    bench_.sharing.asking.target.set_folder(folder_);
}

bool Service::takes_long(std::span<const std::string> paths) {
    return std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
        std::error_code error;
        const auto size = std::filesystem::file_size(platform::from_home(path), error);
        return !error && size > Impatient::kLarge;
    });
}

void Service::adopt(std::vector<Opened> cards) {
    const auto opening = bench_.documents.adopt(std::move(cards));
    if (opening.shown == nullptr) return;
    if (opening.shown->lesson != nullptr) {
        // The first step may ask another lesson's question; what was laid over the file's Scene stays.
        const Scene now = bench_.session.scene();
        const auto step =
            bench_.teaching.begin(opening.shown->lesson, opening.shown->path, opening.shown->lesson_text);
        bench_.session.begin_in(step ? with_changes(*step, opening.shown->scene, now) : now,
                                bench_.teaching.place());
    }
    bench_.notes.set_origin(opening.shown->origin, bench_.session.scene().encoding);
}

// Returns the last problem, because the caller may have a better place for it than a notice.
Result<void> Service::show(const Documents::Opening& opening) {
    if (opening.shown != nullptr) bench_.show(*opening.shown);
    const auto& refused = opening.refused;
    for (std::size_t i = 0; i + 1 < refused.size(); ++i) bench_.notices.say(refused[i]);
    return refused.empty() ? Result<void>() : Result<void>(tl::unexpected(refused.back()));
}

void Service::open(std::span<const std::string> paths, bool typed) {
    read({bench_.session.scene(), typed, Documents::Read{.paths = {paths.begin(), paths.end()}}}, paths);
}

void Service::read(Reading reading, std::span<const std::string> paths) {
    const auto do_read = [](Reading& one) {
        if (const auto* tables = std::get_if<Tables>(&one.files))
            for (const std::string& path : tables->paths) (void)table_of(path);
        else if (auto* again = std::get_if<Documents::Again>(&one.files)) Documents::read(*again, one.over);
        else Documents::read(std::get<Documents::Read>(one.files), one.over);
    };
    if (!reader_.has_thread()) {
        do_read(reading);
        return take(std::move(reading));
    }
    // At once where that fits into a frame: what a small file holds may take long to recognise.
    if (!takes_long(paths)) {
        Reading at_once = reading;
        if (try_within_budget(figures::kFrameWork, [&] { return do_read(at_once), true; }))
            return take(std::move(at_once));
    }
    if (!std::holds_alternative<Tables>(reading.files))  // where the figures say it
        bench_.notices.say(
            bench_.appearance.strings().format("toast.reading", fmt::arg("path", paths.front())));
    const auto to = read_.sender();
    reader_.start(
        [reading = std::move(reading), to, do_read]() mutable {
            do_read(reading);
            to.send(std::move(reading));
            return false;
        },
        to.stop());
}

void Service::take(Reading reading) {
    const Scene& now = bench_.session.scene();
    const auto follow = [&](Opened& card) {  // edited while the files were read
        if (now != reading.over) card.scene = with_changes(now, reading.over, card.scene);
    };
    Documents::Opening opening;
    if (auto* files = std::get_if<Documents::Read>(&reading.files)) {
        std::for_each(files->cards.begin(), files->cards.end(), follow);
        opening = bench_.documents.open(std::move(*files));
    } else {
        bench_.forget_derived();
        if (auto* again = std::get_if<Documents::Again>(&reading.files)) {
            for (auto* read : {&again->mended, &again->opened})
                if (*read && **read) follow(***read);
            opening = bench_.documents.end_reload(std::move(*again));
        }
    }
    const auto done = show(opening);
    if (reading.typed) bench_.sharing.asking.path.answered(done);
    else say(done);
}

void Service::take_read() {
    for (Reading& reading : read_.take()) take(std::move(reading));
    if (auto wanted = Impatient::take_wanted(); !wanted.empty())
        read({bench_.session.scene(), false, Tables{wanted}}, wanted);
    if (const auto problem = reader_.take_problem()) bench_.notices.say(*problem);
}

void Service::say(const Result<void>& done) {
    if (!done) bench_.notices.say(done.error());
}

Result<void> Service::save_scene(const Target& target) {
    const auto path = bench_.documents.save(bench_.session.scene(), target.path, target.replace);
    if (path) bench_.notices.say_saved(*path);
    return plainly(path);
}

// --- the requests of a frame -------------------------------------------------------------------------------

void Service::run_requests(std::span<const Request> requests, double seconds) {
    for (const Request& request : requests) std::visit([this](const auto& one) { carry_out(one); }, request);
    take_answer();
    take_read();
    bench_.documents.look(bench_.session.scene(), seconds);
    if (bench_.documents.follows() && !bench_.documents.outside().changed.empty()) reload();
    take_copied();
    tell_of_exports();
}

// A desktop without a dialog gets ours.
void Service::carry_out(const panels::Command& command) {
    const std::string& what = command.what;
    const Strings& strings = bench_.appearance.strings();
    switch (command.verb) {
        case Verb::open_file: return open(std::span(&what, 1));
        case Verb::turn_file: return say(show(bench_.documents.turn(static_cast<int>(command.number))));
        case Verb::enter_path: return enter_path(what);
        case Verb::allow_file: bench_.documents.allow(what); return bench_.forget_derived();
        case Verb::reload: return reload();
        case Verb::choose_file:
            if (!dialog_.ask(Kind::open, std::string(strings.text("path.open")), ""))
                bench_.sharing.asking.path.open(AskPath::For::opening);
            return;
        case Verb::choose_scene_target: return choose_target(true);
        case Verb::choose_lesson_target: return choose_target(false);
        case Verb::choose_export_target:
            if (!dialog_.ask(Kind::target, std::string(strings.text("export.title")),
                             bench_.sharing.asking.target.dialog().path.data()))
                bench_.notices.say(Problem{"export.no_dialog", {}}, Tone::note);
            return;
        case Verb::save_picture: return save_picture(what, command.value);
        case Verb::copy_picture: return copy_picture(what);
        case Verb::save_results: return save_results(command.value);
        case Verb::add_step: return add_step();
        case Verb::append_step: return say(add_step({what}));
        case Verb::record_task: return record_task();
        case Verb::handout:
        case Verb::slides: return write_lesson_out(command.verb == Verb::slides);
        default: edit_lesson(command.verb);
    }
}

// In the folder in which the program was started.
void Service::choose_target(bool scene) {
    std::error_code ignored;
    const std::filesystem::path here = std::filesystem::current_path(ignored);
    const std::string target = (scene ? here / (file_stem({}, bench_.session.scene()) + ".json")
                                      : free_path(here, "posiscope-lesson", ".json"))
                                   .string();
    if (!dialog_.ask(scene ? Kind::save : Kind::lesson,
                     std::string(bench_.appearance.strings().text(scene ? "path.save" : "path.lesson")),
                     target))
        bench_.sharing.asking.path.open(scene ? AskPath::For::saving : AskPath::For::lesson, target);
}

// In our own dialog, which shows the result.
void Service::enter_path(const std::string& path) {
    AskPath& asking = bench_.sharing.asking.path;
    const Target target = asking.target(path);
    switch (asking.dialog().purpose) {
        case AskPath::For::opening: return open(std::span(&path, 1), true);
        case AskPath::For::saving: return asking.answered(save_scene(target));
        case AskPath::For::lesson: return asking.answered(add_step(target, true));
        case AskPath::For::nothing: return;
    }
}

void Service::save_picture(const std::string& figure, std::string_view ending) {
    attempt(bench_.notices, [&] {
        const auto options = as_seen(bench_, figure, ending != ".png");
        const auto bytes = picture_bytes(bench_, options, ending);
        if (!bytes) return bench_.notices.say(bytes.error());
        save(free_path(folder_, file_stem(figure, bench_.session.scene()), ending), *bytes);
    });
}

void Service::copy_picture(const std::string& figure) {
    attempt(bench_.notices, [&] {
        auto options = as_seen(bench_, figure, true);
        options.scale = bench_.preferences.picture_scale;
        const auto bytes = picture_bytes(bench_, options, ".png");
        if (!bytes) return bench_.notices.say(bytes.error());
        say(clipboard_.copy(*bytes));
    });
}

void Service::save_results(std::string_view ending) {
    attempt(bench_.notices, [&] {
        const auto& bank = bench_.training.trainer().bank();
        if (!bank || bank->finished() == 0) return bench_.notices.say(Problem{"experiment.nothing_yet", {}});
        const experiment::Results found = experiment::results_of(*bank);
        std::string bytes;
        const auto written =
            experiment::write_results(found, ending, [&](std::string_view piece) { bytes += piece; });
        if (!written) return say(written);
        save(free_path(folder_, fmt::format("posiscope-experiment-{}", found.settings.task), ending), bytes);
    });
}

void Service::carry_out(const Exports::Order& order) {
    bench_.sharing.asking.target.answered(bench_.sharing.exports.start(order));
}

void Service::save(const std::filesystem::path& path, std::string_view bytes) {
    if (auto written = write_file(path, bytes); !written) return say(written);
    bench_.notices.say_saved(path.string());
}

void Service::reload() {
    const Scene& now = bench_.session.scene();
    auto again = bench_.documents.begin_reload(now);
    std::vector<std::string> paths = again.named;
    for (const std::string& path : {again.own, again.refused})
        if (!path.empty()) paths.push_back(path);
    read({now, false, std::move(again)}, paths);
}

// The present Scene as the last step of the lesson that is on; without one, somebody says of which.
void Service::add_step() {
    if (const LessonFile* own = bench_.teaching.own_file()) return say(add_step({own->path}));
    std::error_code ignored;
    const auto& lessons = bench_.preferences.lessons;
    const auto last = std::ranges::find_if(
        lessons, [&](const auto& one) { return std::filesystem::exists(one.path, ignored); });
    if (last == lessons.end()) return choose_target(false);
    bench_.sharing.either = {{"lesson.append", {{"title", last->title}, {"path", last->path}}},
                             "question.append",
                             "question.new_lesson",
                             {Verb::append_step, last->path},
                             {Verb::choose_lesson_target}};
}

// `anew`: of a new lesson.
Result<void> Service::add_step(const Target& target, bool anew) {
    std::string path = platform::from_home(target.path), text;
    std::error_code error;
    if (anew && !target.replace && std::filesystem::exists(path, error))
        return taken("file.exists", {{"path", path}});
    if (!anew) {
        auto read = read_file(path);
        if (!read) return tl::unexpected(read.error());
        text = std::move(*read);
    }
    const auto& headlines = bench_.stage.seen.headlines;
    const auto longer = with_step(text, {.scene = bench_.session.scene(),
                                         .figure = bench_.layout.alone(),
                                         .words = headlines.empty() ? std::string_view() : headlines.front(),
                                         .language = bench_.appearance.strings().language()});
    if (!longer) return tl::unexpected(in_file(longer.error(), path));
    if (auto written = write_lesson(path, text, *longer); !written) return written;
    open(std::span(&path, 1));
    Guide& guide = bench_.teaching.guide();
    if (guide.lesson() == nullptr) return {};
    const std::size_t steps = guide.lesson()->steps.size();
    if (auto scene = guide.go_to(steps - 1)) bench_.session.step(std::move(*scene));
    bench_.notices.say(bench_.appearance.strings().format("toast.added_step", fmt::arg("step", steps),
                                                          fmt::arg("path", path)),
                       Tone::good);
    return {};
}

Result<Service::OwnStep> Service::own_step() const {
    const LessonFile* own = bench_.teaching.own_file();
    if (own == nullptr) return refuse("lesson.no_own");
    auto text = read_file(own->path);
    if (!text) return tl::unexpected(text.error());
    const auto index = same_step(*text, own->text, bench_.teaching.guide().index());
    if (!index) return tl::unexpected(in_file(index.error(), own->path));
    return OwnStep{own->path, std::move(*text), *index};
}

bool Service::change_step(std::string_view toast,
                          const std::function<Result<std::string>(const OwnStep&)>& make) {
    const auto step = own_step();
    if (!step) return say(tl::unexpected(step.error())), false;
    const auto made = make(*step);
    if (!made) return say(tl::unexpected(in_file(made.error(), step->path))), false;
    if (const auto written = write_lesson(step->path, step->text, *made); !written)
        return say(written), false;
    bench_.teaching.leave_edit();
    open(std::span(&step->path, 1));
    bench_.notices.say(bench_.appearance.strings().format(toast, fmt::arg("step", step->index + 1),
                                                          fmt::arg("path", step->path)),
                       Tone::good);
    return true;
}

Result<void> Service::write_lesson(const std::string& path, std::string_view before,
                                   const std::string& after) {
    auto written = write_file(path, after);
    if (!written) return written;
    last_change_.reset();
    if (!before.empty())
        last_change_ = {path, std::string(before), after};  // a new file has nothing to go back to
    bench_.teaching.set_restorable(last_change_ ? path : std::string());
    return written;
}

// Takes the last change of a lesson's file back, unless somebody has changed it since.
void Service::restore_lesson() {
    const auto last = std::exchange(last_change_, std::nullopt);
    bench_.teaching.set_restorable({});
    if (!last) return;
    const auto now = read_file(last->path);
    if (!now) return say(tl::unexpected(now.error()));
    if (*now != last->after) return say(refuse("lesson.changed_since", {{"path", last->path}}));
    if (const auto written = write_file(last->path, last->before); !written) return say(written);
    bench_.teaching.leave_edit();
    open(std::span(&last->path, 1));
    bench_.notices.say(
        bench_.appearance.strings().format("toast.restored_lesson", fmt::arg("path", last->path)),
        Tone::good);
}

// Records the present Scene as the task of the lesson's present step, in the lesson's file.
void Service::record_task() {
    const Strings& strings = bench_.appearance.strings();
    change_step("toast.recorded_task", [&](const OwnStep& step) {
        return with_task(step.text, step.index, bench_.session.scene(), strings.language(),
                         strings.text("lesson.goal"));
    });
}

void Service::move_step(int by) {
    Guide& guide = bench_.teaching.guide();
    const std::size_t to = guide.index() + static_cast<std::size_t>(by);
    if (!change_step("toast.moved_step",
                     [by](const OwnStep& step) { return with_step_moved(step.text, step.index, by); }))
        return;
    if (auto scene = guide.go_to(to)) bench_.session.step(std::move(*scene));
}

// The lesson that is on as a handout, or its slides as numbered pictures, into the folder of pictures; by another process, as every
// export.
void Service::write_lesson_out(bool slides) {
    const lessons::Lesson* lesson = bench_.teaching.guide().lesson();
    if (lesson == nullptr) return;
    const LessonFile* own = bench_.teaching.own_file();
    const std::string stem =
        own != nullptr ? std::filesystem::path(own->path).stem().string() : "posiscope-" + lesson->id;
    std::string path = free_path(folder_, stem, slides ? "-01.png" : ".pdf").string();
    if (slides) path.replace(path.size() - 6, 2, "%02d");
    std::vector<std::string> words{"render",
                                   "-o",
                                   path,
                                   "--lesson",
                                   own != nullptr ? own->path : lesson->id,
                                   "--lang",
                                   std::string(code(bench_.appearance.strings().language()))};
    if (slides)
        words.insert(words.end(),
                     {"--size", "1280x720", "--dpi", "144", "--theme", bench_.preferences.presenting_theme});
    say(bench_.sharing.exports.start({std::move(words), bench_.session.scene(), path}));
}

// The step that is on.
void Service::edit_lesson(Verb verb) {
    const Language language = bench_.appearance.strings().language();
    switch (verb) {
        case Verb::edit_step: {
            const auto step = own_step();
            if (!step) return bench_.notices.say(step.error());
            auto words = step_text(step->text, step->index, language);
            if (!words) return bench_.notices.say(in_file(words.error(), step->path));
            bench_.teaching.edit(std::move(*words));
            break;
        }
        // The fields stay if the typed text would be no lesson, and the sentence says why.
        case Verb::save_step:
            change_step("toast.edited_step", [&](const OwnStep& step) {
                return with_text(step.text, step.index, bench_.teaching.edited(), language);
            });
            break;
        case Verb::move_up: move_step(-1); break;
        case Verb::move_down: move_step(1); break;
        case Verb::double_step:
            if (change_step("toast.doubled_step",
                            [](const OwnStep& step) { return with_step_twice(step.text, step.index); }))
                if (auto scene = bench_.teaching.guide().go_to(bench_.teaching.guide().index() + 1))
                    bench_.session.step(std::move(*scene));
            break;
        case Verb::restore_lesson: restore_lesson(); break;
        case Verb::remove_step:
            change_step("toast.removed_step",
                        [](const OwnStep& step) { return without_step(step.text, step.index); });
            break;
        default: break;
    }
}

// --- what comes back later ---------------------------------------------------------------------------------

void Service::take_answer() {
    const auto chosen = dialog_.take();
    if (!chosen || chosen->paths.empty()) return;
    const std::string& first = chosen->paths.front();
    switch (chosen->kind) {
        case Kind::open: open(chosen->paths); break;
        case Kind::target: bench_.sharing.asking.target.set_path(first); break;
        // That dialog asks before it replaces a file.
        case Kind::save: say(save_scene({first, true})); break;
        case Kind::lesson: say(add_step({first, true}, true)); break;
    }
}

void Service::take_copied() {
    const auto copied = clipboard_.take();
    if (!copied) return;
    say(*copied);
    if (*copied)
        bench_.notices.say(std::string(bench_.appearance.strings().text("toast.copied_picture")), Tone::good);
}

void Service::tell_of_exports() {
    using How = Exports::Ended::How;
    const auto ended = bench_.sharing.exports.follow();
    if (!ended) return;
    Notices& notices = bench_.notices;
    if (ended->how == How::stopped) notices.say({"export.stopped", {{"path", ended->path}}}, Tone::note);
    else if (ended->how == How::done) notices.say_saved(ended->path);
    else if (ended->reason.empty()) notices.say({"export.failed", {{"path", ended->path}}});
    else notices.say(ended->reason, Tone::bad);
}

}  // namespace posiscope::workbench
