// window.cpp — posiscope [FILE]: the window.
#include "app/window/window.hpp"
#include "app/commands/command.hpp"
#include "app/commands/usage.hpp"
#include "app/export/png.hpp"
#include "app/workbench/picture.hpp"
#include "app/workbench/store.hpp"
#include "app/workbench/workbench.hpp"
#include "core/formats/file.hpp"

#include <cstdlib>
#include <imgui.h>

namespace posiscope::commands {
namespace {

// The person's own folder for pictures, if there is one; else where the program was started.
std::filesystem::path picture_folder() {
    if (const char* home = std::getenv("HOME"); home != nullptr) {
        std::error_code ignored;
        if (const auto pictures = std::filesystem::path(home) / "Pictures";
            std::filesystem::is_directory(pictures, ignored))
            return pictures;
    }
    return std::filesystem::current_path();
}

// posiscope-rotations-p10-k3.png, or with -2, -3 … when that is taken: nothing is written over.
std::filesystem::path picture_path(const Scene& scene, std::string_view what) {
    const std::string stem = fmt::format("posiscope-{}-p{}-k{}", what, scene.position, scene.offset);
    const std::filesystem::path folder = picture_folder();
    std::filesystem::path path = folder / (stem + ".png");
    std::error_code ignored;
    for (int n = 2; std::filesystem::exists(path, ignored); ++n)
        path = folder / fmt::format("{}-{}.png", stem, n);
    return path;
}

void save_picture(workbench::Workbench& bench, std::string_view figure) {
    workbench::PictureOptions options;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    options.width = static_cast<int>(size.x);
    options.height = static_cast<int>(size.y);
    options.scale = bench.preferences().picture_scale;
    options.controls = figure.empty();
    for (const auto& tile : bench.tiles())
        if (tile.figure == figure) {
            options.figure = tile.figure;
            options.width = static_cast<int>(tile.area.width());
            options.height = static_cast<int>(tile.area.height());
        }
    const auto text = exporting::scene_text(bench.scene());
    if (!text) return bench.say(text.error());
    const auto image = workbench::picture(bench.scene(), bench.preferences(), options);
    if (!image) return bench.say(image.error());
    const auto path =
        picture_path(bench.scene(), figure.empty() ? std::string_view(bench.scene().bench) : figure);
    if (auto written =
            write_file(path, exporting::png(*image, {.dpi = 96.0 * options.scale, .scene = *text}));
        !written)
        return bench.say(written.error());
    bench.say(bench.strings().format("toast.saved", fmt::arg("path", path.string())),
              workbench::Workbench::Tone::good);
}

// What is kept between starts. A folder that cannot be written is said once; the work goes on.
class Keeper {
public:
    explicit Keeper(workbench::Folders folders) : folders_(std::move(folders)) {}

    void keep(workbench::Workbench& bench, const window::Window& window, bool scene_changed) {
        if (scene_changed) tell(bench, workbench::save_session(folders_.state, bench.scene()));
        const window::Geometry at = window.geometry();
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

// Where to begin: the file, or the last session, with -s and --set laid over it.
Result<Scene> starting_scene(const std::string& file, const SharedOptions& shared, const Terminal& terminal,
                             const workbench::Folders& folders, std::vector<Problem>& notes,
                             std::vector<Problem>& origin) {
    Scene start;
    if (!file.empty()) {
        // A bare word that is no file is more likely a command that was mistyped.
        if (std::error_code ignored;
            file.find_first_of("./") == std::string::npos && !std::filesystem::exists(file, ignored))
            return tl::unexpected(unknown_command(file));
        auto laid = read_scene(start, file);
        if (!laid) return tl::unexpected(laid.error());
        start = std::move(laid->scene);
        notes = std::move(laid->adjusted);
    } else {
        auto session = workbench::load_session(folders.state);
        start = std::move(session.value);
        if (session.problem) notes.push_back(std::move(*session.problem));
    }
    if (!shared.model.empty())  // what is not known about its settings stays in sight
        if (auto model = read_model(shared.model)) origin = std::move(model->notes);
    return shared.scene(terminal, std::move(start));
}

Result<void> run(const std::string& file, const SharedOptions& shared, const Terminal& terminal) {
    const workbench::Folders folders = workbench::user_folders();
    std::vector<Problem> notes, origin;
    auto scene = starting_scene(file, shared, terminal, folders, notes, origin);
    if (!scene) return tl::unexpected(scene.error());
    auto [preferences, damaged] = workbench::load_preferences(folders.config);
    if (damaged) notes.push_back(std::move(*damaged));
    if (!shared.language.empty() || preferences.language.empty())
        preferences.language = std::string(code(terminal.strings.language()));

    auto window = window::Window::open("Posiscope", {preferences.x, preferences.y, preferences.width,
                                                     preferences.height, preferences.maximised});
    if (!window) return tl::unexpected(window.error());
    auto layers = workbench::make_layers();
    if (!layers) return tl::unexpected(layers.error());
    workbench::Workbench bench(std::move(*scene), std::move(preferences), &*layers);
    bench.set_origin(std::move(origin));
    for (const Problem& note : notes) bench.say(note, workbench::Workbench::Tone::note);

    const Point room = workbench::smallest_room({});
    (*window)->set_smallest_room(room.x, room.y);
    Keeper keeper(folders);
    using Next = window::Window::Next;
    (*window)->run(
        [&](float seconds) {
            const workbench::Requests requests = bench.frame(seconds, (*window)->pixels_per_point());
            (*window)->set_ground(look::theme(bench.preferences().theme).ground);
            if (requests.full_screen) (*window)->toggle_full_screen();
            if (requests.save_window) save_picture(bench, {});
            if (!requests.save_figure.empty()) save_picture(bench, requests.save_figure);
            if (!requests.held) keeper.keep(bench, **window, requests.scene_changed);
            return requests.quit        ? Next::close
                   : requests.animating ? Next::animate
                   : requests.ticking   ? Next::blink
                                        : Next::wait;
        },
        [&] { return bench.preferences().scale; });
    keeper.keep(bench, **window, true);
    return {};
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto file = std::make_shared<std::string>();
    app.add_option("FILE", *file, std::string(strings.text("option.file.help")))->type_name("");
    return [file, &shared](const Terminal& terminal) { return run(*file, shared, terminal); };
}

}  // namespace

extern const Command kWindow{"", add};

}  // namespace posiscope::commands
