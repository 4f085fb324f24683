#include "app/commands/series.hpp"

#include "app/commands/command.hpp"
#include "app/export/film.hpp"
#include "app/export/png.hpp"
#include "app/platform/offscreen.hpp"
#include "app/platform/process.hpp"
#include "core/experiment/shown.hpp"
#include "core/formats/file.hpp"

namespace posiscope::commands {
namespace {

constexpr std::array<std::string_view, 3> kOver = {"position", "offset", "step"};
constexpr std::int64_t kMostPictures = 100000;
constexpr double kLeastFps = 0.1, kUsualFps = 30.0, kMostFps = 240.0;

// "%04d" in a name: its place, and the least number of digits.
struct Numbering {
    std::size_t at = 0, length = 0;
    int digits = 0;
};
std::optional<Numbering> numbering(const std::string& path) {
    const auto at = path.find('%');
    if (at == std::string::npos) return std::nullopt;
    auto end = at + 1;
    while (end < path.size() && path[end] >= '0' && path[end] <= '9') ++end;
    if (end - at > 3 || end == path.size() || path[end] != 'd') return std::nullopt;
    const std::string digits = path.substr(at + 1, end - at - 1);
    return Numbering{at, end + 1 - at, digits.empty() ? 1 : std::stoi(digits)};
}

std::string numbered(std::string path, const Numbering& place, std::int64_t number) {
    path.replace(place.at, place.length, fmt::format("{:0{}}", number, place.digits));
    return path;
}

std::string ending_of(const std::string& path) { return std::filesystem::path(path).extension().string(); }

bool is_film(const std::string& path) {
    const auto films = exporting::film_endings();
    return std::find(films.begin(), films.end(), ending_of(path)) != films.end();
}

Result<void> write_png(const std::string& path, const Image& image, const Scene& scene, double dpi) {
    const auto text = exporting::scene_text(scene);
    if (!text) return tl::unexpected(text.error());
    return write_file(path, exporting::png(image, {.dpi = dpi, .scene = *text}));
}

// The Scene as it is at one value of what advances; a step is the experiment's.
Result<Overlaid> at_value(const Scene& scene, const std::string& key, std::int64_t value) {
    if (key != "step") return overlay(scene, Json{{key, value}});
    Json view = scene.view;
    view["experiment"]["step"] = value;
    return overlay(scene, Json{{"view", std::move(view)}});
}

}  // namespace

std::string numbered(const std::string& output, std::int64_t number) {
    const auto place = numbering(output);
    return place ? numbered(output, *place, number) : output;
}

bool is_series(const std::string& output) {
    return is_film(output) || (ending_of(output) == ".png" && numbering(output));
}

void Series::add_to(CLI::App& app, const Strings& strings) {
    const auto help = [&](std::string_view name) {
        return std::string(strings.text(fmt::format("option.{}.help", name)));
    };
    add_option(app, "--over", over, help("over"), "position|offset|step");
    add_option(app, "--from", from, help("from"), "A");
    add_option(app, "--to", to, help("to"), "B");
    add_option(app, "--fps", fps, help("fps"), "N");
    add_flag(app, "--progress", progress, help("progress"));
}

Result<void> Series::checked(const std::string& output) const {
    if (!fps) return {};
    if (!(*fps >= kLeastFps && *fps <= kMostFps))
        return refuse("value.range", {{"path", "--fps"},
                                      {"value", to_text(*fps)},
                                      {"minimum", to_text(kLeastFps)},
                                      {"maximum", to_text(kMostFps)}});
    if (!is_film(output)) return refuse("usage.unused", {{"option", "--fps"}, {"other", output}});
    return {};
}

Result<void> Series::write(const std::string& output, const Scene& scene,
                           const workbench::Preferences& preferences,
                           const workbench::PictureOptions& options, double dpi,
                           const Terminal& terminal) const {
    if (!over.empty() && std::find(kOver.begin(), kOver.end(), over) == kOver.end())
        return tl::unexpected(not_one_of("--over", over, kOver));
    const std::string key = over.empty() ? "position" : over;
    const auto shown = experiment::shown_in(scene.view);
    const std::int64_t steps = shown ? shown->settings.steps : 1;
    const std::int64_t first = from.value_or(0), last = to.value_or(key == "step" ? steps : scene.length - 1);
    // Checks both ends before drawing.
    for (const std::int64_t end : {first, last})
        if (const auto laid = at_value(scene, key, end); !laid) return tl::unexpected(laid.error());
    const std::int64_t count = std::abs(last - first) + 1;
    if (count > kMostPictures)
        return refuse("render.many",
                      {{"count", std::to_string(count)}, {"maximum", std::to_string(kMostPictures)}});

    const auto context = platform::Offscreen::create(platform::Contexts::only);
    if (!context) return tl::unexpected(context.error());
    const auto pictures = workbench::Pictures::create(scene, preferences, options);
    if (!pictures) return tl::unexpected(pictures.error());
    std::optional<exporting::Film> film;
    if (is_film(output)) {
        auto opened = exporting::Film::open(
            output, {options.pixel_width(), options.pixel_height(), fps.value_or(kUsualFps)});
        if (!opened) return tl::unexpected(opened.error());
        film.emplace(std::move(*opened));
    }
    const bool watched = !progress && !terminal.quiet && platform::somebody_watches();
    for (std::int64_t i = 0; i < count; ++i) {
        const auto now = at_value(scene, key, first < last ? first + i : first - i);
        if (!now) return tl::unexpected(now.error());
        const auto image = (*pictures)->draw(now->scene);
        if (!image) return tl::unexpected(image.error());
        if (auto written = film ? film->add(*image)
                                : write_png(numbered(output, *numbering(output), i), *image, now->scene, dpi);
            !written)
            return written;
        if (progress) std::fprintf(stderr, "%s\n", Json{{"done", i + 1}, {"count", count}}.dump().c_str());
        if (watched)
            std::fprintf(
                stderr, "\r%s",
                terminal.strings.format("film.progress", fmt::arg("at", i + 1), fmt::arg("count", count))
                    .c_str());
    }
    if (watched) std::fputc('\n', stderr);
    return film ? film->finish() : Result<void>();
}

}  // namespace posiscope::commands
