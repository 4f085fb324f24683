// window.cpp — posiscope [FILE...]: the window.
#include "app/platform/window.hpp"
#include "app/commands/command.hpp"
#include "app/commands/usage.hpp"
#include "app/export/png.hpp"
#include "app/platform/clipboard.hpp"
#include "app/platform/file_dialog.hpp"
#include "app/workbench/exports.hpp"
#include "app/workbench/files.hpp"
#include "app/workbench/picture.hpp"
#include "app/workbench/store.hpp"
#include "app/workbench/workbench.hpp"
#include "core/formats/file.hpp"

#include <cstdlib>
#include <imgui.h>

namespace posiscope::commands {
namespace {

// The user's folder for images, if there is one; else the working directory.
std::filesystem::path picture_folder() {
    if (const char* home = std::getenv("HOME"); home != nullptr) {
        std::error_code ignored;
        if (const auto pictures = std::filesystem::path(home) / "Pictures";
            std::filesystem::is_directory(pictures, ignored))
            return pictures;
    }
    return std::filesystem::current_path();
}

// posiscope-rotations-p10-k3.png, or with -2, -3 … if that exists: never overwrites a file.
std::filesystem::path picture_path(const Scene& scene, std::string_view what, std::string_view ending) {
    const std::string stem = fmt::format("posiscope-{}-p{}-k{}", what, scene.position, scene.offset);
    const std::filesystem::path folder = picture_folder();
    std::filesystem::path path = folder / fmt::format("{}{}", stem, ending);
    std::error_code ignored;
    for (int n = 2; std::filesystem::exists(path, ignored); ++n)
        path = folder / fmt::format("{}-{}{}", stem, n, ending);
    return path;
}

// The current size: of the figure's tile, of all tiles for a vector file, else of the window.
workbench::PictureOptions as_seen(const workbench::Workbench& bench, std::string_view figure, bool vector) {
    workbench::PictureOptions options;
    Rect area{0.0F, 0.0F, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y};
    if (vector || !figure.empty()) {
        Rect tiles{area.x1, area.y1, area.x0, area.y0};
        for (const auto& tile : bench.tiles()) {
            if (!figure.empty() && tile.figure != figure) continue;
            tiles = {std::min(tiles.x0, tile.area.x0), std::min(tiles.y0, tile.area.y0),
                     std::max(tiles.x1, tile.area.x1), std::max(tiles.y1, tile.area.y1)};
            options.figure = figure.empty() ? std::string_view() : tile.figure;
        }
        if (!tiles.empty()) area = figure.empty() ? tiles.grown(workbench::kGap) : tiles;
    }
    options.width = std::floor(static_cast<double>(area.width()));
    options.height = std::floor(static_cast<double>(area.height()));
    options.scale = vector ? workbench::kVectorDpi / 96.0 : bench.preferences().picture_scale;
    options.controls = !vector && figure.empty();
    return options;
}

Result<std::string> picture_bytes(const workbench::Workbench& bench, const workbench::PictureOptions& options,
                                  std::string_view ending) {
    if (ending != ".png")
        return workbench::vector_picture(bench.scene(), bench.preferences(), options,
                                         ending == ".pdf" ? exporting::VectorFormat::pdf
                                                          : exporting::VectorFormat::svg);
    const auto text = exporting::scene_text(bench.scene());
    if (!text) return tl::unexpected(text.error());
    const auto image = workbench::picture(bench.scene(), bench.preferences(), options);
    if (!image) return tl::unexpected(image.error());
    return exporting::png(*image, {.dpi = 96.0 * options.scale, .scene = *text});
}

void copy_picture(workbench::Workbench& bench, std::string_view figure,
                  platform::PictureClipboard& clipboard) {
    auto options = as_seen(bench, figure, true);
    options.scale = bench.preferences().picture_scale;
    const auto bytes = picture_bytes(bench, options, ".png");
    if (!bytes) return bench.say(bytes.error());
    if (auto begun = clipboard.copy(*bytes); !begun) bench.say(begun.error());
}

void save_picture(workbench::Workbench& bench, const workbench::Requests::Save& save) {
    const auto options = as_seen(bench, save.figure, save.ending != ".png");
    const auto bytes = picture_bytes(bench, options, save.ending);
    if (!bytes) return bench.say(bytes.error());
    const std::string_view what = save.figure.empty() ? std::string_view(bench.scene().bench) : save.figure;
    const auto path = picture_path(bench.scene(), what, save.ending);
    if (auto written = write_file(path, *bytes); !written) return bench.say(written.error());
    bench.say(bench.strings().format("toast.saved", fmt::arg("path", path.string())),
              workbench::Workbench::Tone::good);
}

// State kept between starts. An unwritable folder is reported once, and the program continues.
class Keeper {
public:
    explicit Keeper(workbench::Folders folders) : folders_(std::move(folders)) {}

    void keep(workbench::Workbench& bench, const platform::Window& window, bool scene_changed) {
        if (scene_changed) tell(bench, workbench::save_session(folders_.state, bench.scene()));
        const platform::Geometry at = window.geometry();
        workbench::Preferences now = bench.preferences();
        now.x = at.x, now.y = at.y, now.width = at.width, now.height = at.height,
        now.maximised = at.maximised;
        if (kept_ && *kept_ == now) return;
        if (kept_) tell(bench, workbench::save_preferences(folders_.config, now));
        kept_ = std::move(now);
    }

private:
    void tell(workbench::Workbench& bench, const Result<void>& saved) {
        if (saved || told_) return;
        told_ = true;
        bench.say(saved.error());
    }

    workbench::Folders folders_;
    std::optional<workbench::Preferences> kept_;
    bool told_ = false;
};

// The first scene: the first of the files, or the last session, with -s and --set applied.
struct Start {
    Scene scene;
    std::vector<workbench::Opened> cards;
    std::vector<Problem> notes, origin;
};
Result<Start> start_of(const std::vector<std::string>& files, const SharedOptions& shared,
                       const Terminal& terminal, const workbench::Folders& folders) {
    Start start;
    for (const std::string& file : files) {
        // A bare word that is not a file is more likely a mistyped command.
        if (std::error_code ignored;
            file.find_first_of("./") == std::string::npos && !std::filesystem::exists(file, ignored))
            return tl::unexpected(unknown_command(file));
        auto opened = workbench::open_file(file, Scene());
        if (!opened) return tl::unexpected(opened.error());
        start.cards.push_back(std::move(*opened));
    }
    if (start.cards.empty()) {
        auto session = workbench::load_session(folders.state);
        start.scene = std::move(session.value);
        if (session.problem) start.notes.push_back(std::move(*session.problem));
    } else {
        start.scene = start.cards[0].scene;
        start.notes = start.cards[0].adjusted;
        start.origin = start.cards[0].origin;
    }
    if (!shared.model.empty())  // keeps the notes on its settings visible
        if (auto model = read_model(shared.model)) start.origin = std::move(model->notes);
    auto laid = shared.scene(terminal, std::move(start.scene));
    if (!laid) return tl::unexpected(laid.error());
    start.scene = std::move(*laid);
    return start;
}

// The default path for saving a scene, in the working directory.
std::string scene_target(const Scene& scene) {
    std::error_code ignored;
    const auto name = fmt::format("posiscope-{}-p{}-k{}.json", scene.bench, scene.position, scene.offset);
    return (std::filesystem::current_path(ignored) / name).string();
}

// Opens the desktop's dialog, or ours without one.
void ask(const workbench::Requests& requests, workbench::Workbench& bench, platform::FileDialog& dialog) {
    using Kind = platform::FileDialog::Kind;
    using For = panels::PathDialog::For;
    if (requests.choose_file && !dialog.ask(Kind::open, std::string(bench.strings().text("path.open")), ""))
        bench.ask_path(For::opening);
    if (requests.choose_export_target &&
        !dialog.ask(Kind::target, std::string(bench.strings().text("export.title")),
                    bench.export_dialog().path.data()))
        bench.say(Problem{"export.no_dialog", {}}, workbench::Workbench::Tone::note);
    if (!requests.choose_target) return;
    const std::string target = scene_target(bench.scene());
    if (!dialog.ask(Kind::save, std::string(bench.strings().text("path.save")), target))
        bench.ask_path(For::saving, target);
}

// Serves files dropped on the window or chosen in the desktop's dialog, and the frame's requests.
void serve_files(workbench::Requests requests, workbench::Workbench& bench, workbench::Files& files,
                 platform::Window& window, platform::FileDialog& dialog) {
    ask(requests, bench, dialog);
    if (const auto dropped = window.take_dropped(); !dropped.empty()) files.open(dropped);
    if (auto chosen = dialog.take(); chosen && !chosen->paths.empty()) {
        if (chosen->kind == platform::FileDialog::Kind::open) requests.open_files = std::move(chosen->paths);
        else if (chosen->kind == platform::FileDialog::Kind::target)
            bench.set_export_path(chosen->paths.front());
        else
            requests.save_scene = workbench::Requests::Target{chosen->paths.front(),
                                                              true};  // the dialog has confirmed overwriting
    }
    files.serve(requests, ImGui::GetTime());
}

Result<void> run(const std::vector<std::string>& paths, const SharedOptions& shared,
                 const Terminal& terminal) {
    const workbench::Folders folders = workbench::user_folders();
    auto start = start_of(paths, shared, terminal, folders);
    if (!start) return tl::unexpected(start.error());
    std::vector<Problem>& notes = start->notes;
    auto [preferences, damaged] = workbench::load_preferences(folders.config);
    if (damaged) notes.push_back(std::move(*damaged));
    if (!shared.language.empty() || preferences.language.empty())
        preferences.language = std::string(code(terminal.strings.language()));

    auto window = platform::Window::open("Posiscope", {preferences.x, preferences.y, preferences.width,
                                                       preferences.height, preferences.maximised});
    if (!window) return tl::unexpected(window.error());
    auto layers = workbench::make_layers();
    if (!layers) return tl::unexpected(layers.error());
    workbench::Workbench bench(std::move(start->scene), std::move(preferences), &*layers);
    workbench::Files files(bench);
    files.adopt(std::move(start->cards));
    bench.set_origin(std::move(start->origin));
    const auto wake = [&] { (*window)->wake(); };
    platform::FileDialog dialog(wake);
    platform::PictureClipboard clipboard(wake);
    workbench::Exports exports(bench, wake);
    bench.set_folder(picture_folder());
    bench.set_clipboard([&](const char* text) { return (*window)->set_clipboard(text); });
    for (const Problem& note : notes) bench.say(note, workbench::Workbench::Tone::note);

    const Point room = workbench::smallest_room({});
    (*window)->set_smallest_room(room.x, room.y);
    Keeper keeper(folders);
    using Next = platform::Window::Next;
    (*window)->run(
        [&](float seconds) {
            const workbench::Requests requests = bench.frame(seconds, (*window)->pixels_per_point());
            (*window)->set_ground(ui::theme(bench.preferences().theme).ground);
            serve_files(requests, bench, files, **window, dialog);
            if (requests.full_screen) (*window)->toggle_full_screen();
            if (requests.save) save_picture(bench, *requests.save);
            if (requests.copy_picture) copy_picture(bench, *requests.copy_picture, clipboard);
            if (const auto copied = clipboard.take()) {
                if (*copied)
                    bench.say(std::string(bench.strings().text("toast.copied_picture")),
                              workbench::Workbench::Tone::good);
                else bench.say(copied->error());
            }
            exports.serve(requests);
            if (!requests.held) keeper.keep(bench, **window, requests.scene_changed);
            return requests.quit || layers->heatmaps.problem() ? Next::close
                   : requests.animating                        ? Next::animate
                   : requests.ticking                          ? Next::blink
                                                               : Next::wait;
        },
        [&] { return bench.preferences().scale; });
    keeper.keep(bench, **window, true);
    for (const std::optional<Problem>& problem : {(*window)->problem(), layers->heatmaps.problem()})
        if (problem) return tl::unexpected(*problem);
    return {};
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto files = std::make_shared<std::vector<std::string>>();
    app.add_option("FILE", *files, std::string(strings.text("option.file.help")))->type_name("");
    return [files, &shared](const Terminal& terminal) { return run(*files, shared, terminal); };
}

}  // namespace

extern const Command kWindow{"", add};

}  // namespace posiscope::commands
