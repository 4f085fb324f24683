// render.cpp — posiscope render -o OUT.png: the bench or one figure as a picture, with no window and no display.
#include "app/commands/command.hpp"
#include "app/commands/usage.hpp"
#include "app/export/png.hpp"
#include "app/figures/figure.hpp"
#include "app/window/offscreen.hpp"
#include "app/workbench/benches.hpp"
#include "app/workbench/picture.hpp"
#include "core/formats/file.hpp"

#include <charconv>
#include <cmath>

namespace posiscope::commands {
namespace {

struct Typed {
    std::string output, figure, bench, size = "1280x800", theme = "light";
    double scale = 1.0;
    bool controls = false;
};

template <class Registry>
std::vector<std::string_view> ids(const Registry& registry) {
    std::vector<std::string_view> all;
    for (const auto& entry : registry) {
        if constexpr (requires { entry->id; }) all.push_back(entry->id);
        else if constexpr (requires { entry.id; }) all.push_back(entry.id);
        else all.push_back(entry.name);
    }
    return all;
}

// "1280x800" in points; with the scale, each side 1 … 16384 pixels.
Result<workbench::PictureOptions> measured(const Typed& typed) {
    workbench::PictureOptions options;
    const char* const end = typed.size.data() + typed.size.size();
    const auto width = std::from_chars(typed.size.data(), end, options.width);
    const bool times =
        width.ec == std::errc() && width.ptr != end && (*width.ptr == 'x' || *width.ptr == 'X');
    const auto height = times ? std::from_chars(width.ptr + 1, end, options.height) : width;
    if (!times || height.ec != std::errc() || height.ptr != end)
        return refuse("render.size_form", {{"value", typed.size}});
    const std::string maximum = std::to_string(workbench::kLargestPicture);
    if (!(typed.scale >= 0.25 && typed.scale <= 16.0))
        return refuse(
            "value.range",
            {{"path", "--scale"}, {"value", to_text(typed.scale)}, {"minimum", "0.25"}, {"maximum", "16"}});
    for (const int side : {options.width, options.height}) {
        const double pixels = std::round(side * typed.scale);
        if (side < 1 || pixels < 1.0 || pixels > workbench::kLargestPicture)
            return refuse("render.size",
                          {{"value", typed.size}, {"scale", to_text(typed.scale)}, {"maximum", maximum}});
    }
    options.scale = typed.scale;
    options.controls = typed.controls;
    options.figure = typed.figure;
    return options;
}

Result<void> run(const Typed& typed, const SharedOptions& shared, const Terminal& terminal) {
    if (typed.output.empty()) return refuse("render.no_output");
    const std::string ending = std::filesystem::path(typed.output).extension().string();
    if (ending != ".png" && !std::filesystem::is_directory(typed.output))
        return refuse("output.ending", {{"path", typed.output}, {"choices", ".png"}});
    const auto among = [](std::string_view option, std::string_view value,
                          const std::vector<std::string_view>& known) -> Result<void> {
        if (value.empty() || std::find(known.begin(), known.end(), value) != known.end()) return {};
        return tl::unexpected(not_one_of(option, value, known));
    };
    if (auto good = among("--figure", typed.figure, ids(figures::figures())); !good) return good;
    if (auto good = among("--bench", typed.bench, ids(workbench::benches())); !good) return good;
    if (auto good = among("--theme", typed.theme, ids(look::themes())); !good) return good;
    auto options = measured(typed);
    if (!options) return tl::unexpected(options.error());
    auto scene = shared.scene(terminal);
    if (!scene) return tl::unexpected(scene.error());
    say_remarks(*scene, terminal);
    if (!typed.bench.empty()) scene->bench = typed.bench;

    const auto text = exporting::scene_text(*scene);
    if (!text) return tl::unexpected(text.error());
    // Opened first: nobody waits for a picture that cannot be put anywhere.
    auto file = FileWriter::open(typed.output);
    if (!file) return tl::unexpected(file.error());
    const auto context = window::Offscreen::create();
    if (!context) return tl::unexpected(context.error());
    workbench::Preferences preferences;
    preferences.theme = typed.theme;
    preferences.language = std::string(code(terminal.strings.language()));
    preferences.drag_hint_seen = true;
    const auto image = workbench::picture(*scene, preferences, *options);
    if (!image) return tl::unexpected(image.error());
    file->write(exporting::png(*image, {.dpi = 96.0 * options->scale, .scene = *text}));
    return file->commit();
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    const auto help = [&](std::string_view name) {
        return std::string(strings.text(fmt::format("option.{}.help", name)));
    };
    app.add_option("-o,--output", typed->output, help("picture"))->type_name("OUT.png");
    app.add_option("--figure", typed->figure, help("figure"))->type_name("ID");
    app.add_option("--bench", typed->bench, help("bench"))->type_name("ID");
    app.add_option("--size", typed->size, help("size"))->type_name("WxH");
    app.add_option("--scale", typed->scale, help("scale"))->type_name("N");
    app.add_option("--theme", typed->theme, help("theme"))->type_name("dark|light|print");
    app.add_flag("--controls", typed->controls, help("controls"));
    return [typed, &shared](const Terminal& terminal) { return run(*typed, shared, terminal); };
}

}  // namespace

extern const Command kRender{"render", add};

}  // namespace posiscope::commands
