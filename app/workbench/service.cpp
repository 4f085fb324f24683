#include "app/workbench/service.hpp"

#include "app/workbench/document/lesson_file.hpp"
#include "app/workbench/share/window_image.hpp"
#include "core/formats/file.hpp"

#include <exception>
#include <new>

namespace posiscope::workbench {
namespace {

using Kind = platform::FileDialog::Kind;

Result<void> plainly(const Result<std::string>& done) {
    return done ? Result<void>() : Result<void>(tl::unexpected(done.error()));
}

// The default path for a scene: the folder in which the program was started.
std::string scene_target(const Scene& scene) {
    std::error_code ignored;
    const auto name = fmt::format("posiscope-{}-p{}-k{}.json", scene.bench, scene.position, scene.offset);
    return (std::filesystem::current_path(ignored) / name).string();
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
    : bench_(bench), folder_(std::move(folder)), dialog_(wake), clipboard_(wake) {
    bench_.sharing.asking.target.set_folder(folder_);
}

void Service::adopt(std::vector<Opened> cards) {
    const auto opening = bench_.documents.adopt(std::move(cards));
    if (opening.shown == nullptr) return;
    if (opening.shown->lesson != nullptr)
        (void)bench_.teaching.begin(opening.shown->lesson, opening.shown->path);
    bench_.notes.set_origin(opening.shown->origin, bench_.session.scene().encoding);
}

// Returns the last problem, because the caller may have a better place for it than a notice.
Result<void> Service::show(const Documents::Opening& opening) {
    if (opening.shown != nullptr) bench_.show(*opening.shown);
    const auto& refused = opening.refused;
    for (std::size_t i = 0; i + 1 < refused.size(); ++i) bench_.notices.say(refused[i]);
    return refused.empty() ? Result<void>() : Result<void>(tl::unexpected(refused.back()));
}

void Service::open(std::span<const std::string> paths) {
    const auto opened = show(bench_.documents.open(paths, bench_.session.scene()));
    if (!opened) bench_.notices.say(opened.error());
}

Result<void> Service::save_scene(const Target& target) {
    const auto path = bench_.documents.save(bench_.session.scene(), target.path, target.replace);
    if (path)
        bench_.notices.say(bench_.appearance.strings().format("toast.saved", fmt::arg("path", *path)),
                           Tone::good);
    return plainly(path);
}

// Opens the desktop's dialog, or ours if there is none.
void Service::ask(const Requests& requests) {
    const Strings& strings = bench_.appearance.strings();
    if (requests.choose_file && !dialog_.ask(Kind::open, std::string(strings.text("path.open")), ""))
        bench_.sharing.asking.path.open(AskPath::For::opening);
    if (requests.choose_export_target && !dialog_.ask(Kind::target, std::string(strings.text("export.title")),
                                                      bench_.sharing.asking.target.dialog().path.data()))
        bench_.notices.say(Problem{"export.no_dialog", {}}, Tone::note);
    if (!requests.choose_target) return;
    const std::string target = scene_target(bench_.session.scene());
    if (!dialog_.ask(Kind::save, std::string(strings.text("path.save")), target))
        bench_.sharing.asking.path.open(AskPath::For::saving, target);
}

void Service::take_answer() {
    const auto chosen = dialog_.take();
    if (!chosen || chosen->paths.empty()) return;
    const std::string& first = chosen->paths.front();
    switch (chosen->kind) {
        case Kind::open: open(chosen->paths); break;
        case Kind::target: bench_.sharing.asking.target.set_path(first); break;
        case Kind::save:  // that dialog asks before it replaces a file
            if (const auto saved = save_scene({first, true}); !saved) bench_.notices.say(saved.error());
            break;
    }
}

void Service::serve_documents(const Requests& requests) {
    Documents& documents = bench_.documents;
    const Scene& scene = bench_.session.scene();
    const auto tell = [&](const Result<void>& done) {
        if (requests.typed) bench_.sharing.asking.path.answered(done);
        else if (!done) bench_.notices.say(done.error());
    };
    if (!requests.open_files.empty()) tell(show(documents.open(requests.open_files, scene)));
    if (requests.save_scene) tell(save_scene(*requests.save_scene));
    for (const std::string& path : requests.allow_files) documents.allow(path);
    if (!requests.allow_files.empty()) bench_.forget_derived();
    if (requests.add_step) add_step();
    if (requests.record_task) record_task();
    if (requests.turn_page != 0) tell(show(documents.turn(requests.turn_page)));
    if (!requests.reload) return;
    bench_.forget_derived();
    tell(show(documents.reload(scene)));
}

// The present Scene as the last step of the lesson that is on, or of a new file.
void Service::add_step() {
    Guide& guide = bench_.teaching.guide();
    std::string path(bench_.teaching.own_path()), text;
    if (path.empty()) {
        std::error_code ignored;
        path = (folder_ / "posiscope-lesson.json").string();
        for (int n = 2; std::filesystem::exists(path, ignored); ++n)
            path = (folder_ / fmt::format("posiscope-lesson-{}.json", n)).string();
    } else if (auto read = read_file(path)) {
        text = std::move(*read);
    } else {
        return bench_.notices.say(read.error());
    }
    const auto& headlines = bench_.stage.seen.headlines;
    auto longer = with_step(text, {.scene = bench_.session.scene(),
                                   .figure = bench_.layout.alone(),
                                   .words = headlines.empty() ? std::string_view() : headlines.front(),
                                   .language = bench_.appearance.strings().language()});
    if (!longer) return bench_.notices.say(in_file(longer.error(), path));
    if (const auto written = write_file(path, *longer); !written) return bench_.notices.say(written.error());
    open(std::span(&path, 1));
    if (guide.lesson() == nullptr) return;
    const std::size_t steps = guide.lesson()->steps.size();
    if (auto scene = guide.go_to(steps - 1)) bench_.session.step(std::move(*scene));
    bench_.notices.say(bench_.appearance.strings().format("toast.added_step", fmt::arg("step", steps),
                                                          fmt::arg("path", path)),
                       Tone::good);
}

// What was done is the task of the step that is on, and of its lesson's file.
void Service::record_task() {
    Guide& guide = bench_.teaching.guide();
    const std::string path(bench_.teaching.own_path());
    if (path.empty()) return;
    const auto text = read_file(path);
    if (!text) return bench_.notices.say(text.error());
    const Strings& strings = bench_.appearance.strings();
    const std::size_t step = guide.index();
    const auto made =
        with_task(*text, step, bench_.session.scene(), strings.language(), strings.text("lesson.goal"));
    if (!made) return bench_.notices.say(in_file(made.error(), path));
    if (const auto written = write_file(path, *made); !written) return bench_.notices.say(written.error());
    open(std::span(&path, 1));
    bench_.notices.say(
        strings.format("toast.recorded_task", fmt::arg("step", step + 1), fmt::arg("path", path)),
        Tone::good);
}

void Service::save_picture(const Requests::Save& save) {
    const auto options = as_seen(bench_, save.figure, save.ending != ".png");
    const auto bytes = picture_bytes(bench_, options, save.ending);
    if (!bytes) return bench_.notices.say(bytes.error());
    const auto path = free_path(folder_, bench_.session.scene(), save.figure, save.ending);
    if (auto written = write_file(path, *bytes); !written) return bench_.notices.say(written.error());
    bench_.notices.say(bench_.appearance.strings().format("toast.saved", fmt::arg("path", path.string())),
                       Tone::good);
}

void Service::save_results(std::string_view ending) {
    const auto& bank = bench_.training.trainer().bank();
    if (!bank || bank->finished() == 0) return bench_.notices.say(Problem{"experiment.nothing_yet", {}});
    const experiment::Results results = experiment::results_of(*bank);
    std::string bytes;
    const auto written =
        experiment::write_results(results, ending, [&](std::string_view piece) { bytes += piece; });
    if (!written) return bench_.notices.say(written.error());
    std::filesystem::path path =
        folder_ / fmt::format("posiscope-experiment-{}{}", results.settings.task, ending);
    std::error_code ignored;
    for (int n = 2; std::filesystem::exists(path, ignored); ++n)
        path = folder_ / fmt::format("posiscope-experiment-{}-{}{}", results.settings.task, n, ending);
    if (auto put = write_file(path, bytes); !put) return bench_.notices.say(put.error());
    bench_.notices.say(bench_.appearance.strings().format("toast.saved", fmt::arg("path", path.string())),
                       Tone::good);
}

void Service::copy_picture(std::string_view figure) {
    auto options = as_seen(bench_, figure, true);
    options.scale = bench_.preferences.picture_scale;
    const auto bytes = picture_bytes(bench_, options, ".png");
    if (!bytes) return bench_.notices.say(bytes.error());
    if (auto begun = clipboard_.copy(*bytes); !begun) bench_.notices.say(begun.error());
}

void Service::tell_of_exports() {
    using How = Exports::Ended::How;
    const auto ended = bench_.sharing.exports.follow();
    if (!ended) return;
    Notices& notices = bench_.notices;
    if (ended->how == How::stopped) notices.say({"export.stopped", {{"path", ended->path}}}, Tone::note);
    else if (ended->how == How::done)
        notices.say(bench_.appearance.strings().format("toast.saved", fmt::arg("path", ended->path)),
                    Tone::good);
    else if (ended->reason.empty()) notices.say({"export.failed", {{"path", ended->path}}});
    else notices.say(ended->reason, Tone::bad);
}

void Service::serve(const Requests& requests, double seconds) {
    ask(requests);
    take_answer();
    serve_documents(requests);
    bench_.documents.look(bench_.session.scene(), seconds);
    if (bench_.documents.follows() && !bench_.documents.outside().changed.empty()) {
        bench_.forget_derived();
        const auto shown = show(bench_.documents.reload(bench_.session.scene()));
        if (!shown) bench_.notices.say(shown.error());
    }
    if (requests.save) attempt(bench_.notices, [&] { save_picture(*requests.save); });
    if (requests.save_results) attempt(bench_.notices, [&] { save_results(*requests.save_results); });
    if (requests.copy_picture) attempt(bench_.notices, [&] { copy_picture(*requests.copy_picture); });
    if (const auto copied = clipboard_.take()) {
        if (*copied)
            bench_.notices.say(std::string(bench_.appearance.strings().text("toast.copied_picture")),
                               Tone::good);
        else bench_.notices.say(copied->error());
    }
    if (requests.export_now)
        bench_.sharing.asking.target.answered(bench_.sharing.exports.start(*requests.export_now));
    tell_of_exports();
}

}  // namespace posiscope::workbench
