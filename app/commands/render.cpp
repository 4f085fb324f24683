// render.cpp — posiscope render -o OUT [SCENES...]: the bench or one figure as an image or an animation, without a window
// or display; PDF and SVG also without OpenGL.
#include "app/canvas/vector/typeface.hpp"
#include "app/commands/batch.hpp"
#include "app/commands/command.hpp"
#include "app/commands/lesson.hpp"
#include "app/commands/series.hpp"
#include "app/commands/still_computing.hpp"
#include "app/commands/streams.hpp"
#include "app/export/png.hpp"
#include "app/figures/figure.hpp"
#include "app/figures/parts/extra_scenes.hpp"
#include "app/platform/offscreen.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/document/opening.hpp"
#include "app/workbench/share/picture.hpp"
#include "app/workbench/teach/claim_text.hpp"
#include "app/workbench/window/benches.hpp"
#include "core/encodings/own.hpp"
#include "core/formats/file.hpp"
#include "core/json_members.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

namespace posiscope::commands {
namespace render_command {
namespace {

struct Typed {
    std::string output, claim, lesson, figure, bench, size, page, theme, font, style;
    std::optional<double> scale, dpi, letters;
    std::vector<double> splits;
    std::vector<std::string> curves;
    bool controls = false, transparent = false, plain = false, bare = false, together = false;
    Series series;
    Batch batch;
};

enum class Format { png, pdf, svg };

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

Result<Format> format_of(const std::string& path) {
    const std::string ending = output_ending(path, ".png");
    if (ending == ".png" || (is_series(path) && !is_standard_output(path))) return Format::png;
    if (ending == ".pdf") return Format::pdf;
    if (ending == ".svg") return Format::svg;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return failure("file.folder", {{"path", path}});
    const char* const choices =
        is_standard_output(path) ? ".png, .pdf, .svg" : ".png, .pdf, .svg, .mp4, .gif, .webp";
    return refuse("output.ending", {{"path", path}, {"choices", choices}});
}

constexpr double kPointsPerInch = 96.0, kMillimetresPerInch = 25.4;

// A unit of a size, in points.
struct Unit {
    std::string_view name;
    double points;
};
constexpr std::array kUnits = {Unit{"mm", kPointsPerInch / kMillimetresPerInch},
                               Unit{"cm", 10.0 * kPointsPerInch / kMillimetresPerInch},
                               Unit{"in", kPointsPerInch}, Unit{"px", 1.0}, Unit{"", 1.0}};

// "160x100mm", "8x6cm", "3.3x2.4in", "1280x800px" or, in points, "1280x800".
const Unit* read_sides(std::string_view text, double& width, double& height) {
    const Unit* const unit =
        std::ranges::find_if(kUnits, [&](const Unit& one) { return text.ends_with(one.name); });
    const char* const end = text.data() + text.size() - unit->name.size();
    const auto first = std::from_chars(text.data(), end, width);
    if (first.ec != std::errc() || first.ptr == end || (*first.ptr != 'x' && *first.ptr != 'X'))
        return nullptr;
    const auto second = std::from_chars(first.ptr + 1, end, height);
    return second.ec == std::errc() && second.ptr == end ? unit : nullptr;
}

Result<double> within(std::string_view option, double value, double least, double most) {
    if (value >= least && value <= most) return value;
    return refuse("value.range", {{"path", std::string(option)},
                                  {"value", to_text(value)},
                                  {"minimum", to_text(least)},
                                  {"maximum", to_text(most)}});
}

constexpr double kLeastScale = 0.25, kMostScale = 16.0;
constexpr double kLeastLetters = 4.0, kMostLetters = 24.0;  // in 1/72 inch

// The image's size in points and in pixels, each side 1 … 16384. `dpi` is stored in the file and is the resolution of
// heatmaps in a vector file.
struct Measured {
    workbench::PictureOptions picture;
    double dpi = kPointsPerInch;
};
Result<Measured> measured(const Typed& typed, Format format) {
    Measured m;
    workbench::PictureOptions& picture = m.picture;
    if (!typed.size.empty() && !typed.page.empty()) return refuse("render.size_and_page");
    const std::string& size = typed.page.empty() ? typed.size : typed.page;
    bool in_pixels = false;
    if (!size.empty()) {
        const Unit* const unit = read_sides(size, picture.width, picture.height);
        if (unit == nullptr || (unit->name.empty() && !typed.page.empty()))
            return refuse(typed.page.empty() ? "render.size_form" : "render.page_form", {{"value", size}});
        picture.width *= unit->points;
        picture.height *= unit->points;
        in_pixels = unit->name == "px" && format == Format::png;
    }
    for (const auto& [option, given] :
         {std::pair("--scale", typed.scale.has_value()), std::pair("--controls", typed.controls)})
        if (given && format != Format::png)
            return refuse("render.png_only", {{"option", option}, {"path", typed.output}});

    const auto scale = within("--scale", typed.scale.value_or(1.0), kLeastScale, kMostScale);
    if (!scale) return tl::unexpected(scale.error());
    const double usual = format == Format::png ? kPointsPerInch * *scale : workbench::kVectorDpi;
    const auto dpi =
        within("--dpi", typed.dpi.value_or(usual), kPointsPerInch * kLeastScale, kPointsPerInch * kMostScale);
    if (!dpi) return tl::unexpected(dpi.error());
    m.dpi = *dpi;
    picture.scale = typed.scale ? *scale : *dpi / kPointsPerInch;
    if (in_pixels) picture.width /= picture.scale, picture.height /= picture.scale;
    const std::string sides = size.empty() ? fmt::format("{}x{}", picture.width, picture.height) : size;
    for (const double side : {picture.width, picture.height}) {
        const double pixels = std::round(side * picture.scale);
        if (!(pixels >= 1.0 && pixels <= workbench::kLargestPicture))
            return refuse("render.size", {{"value", sides},
                                          {"scale", to_text(picture.scale)},
                                          {"maximum", std::to_string(workbench::kLargestPicture)}});
    }
    const auto letters =
        within("--letters", typed.letters.value_or(kLeastLetters), kLeastLetters, kMostLetters);
    if (!letters) return tl::unexpected(letters.error());
    picture.letters = typed.letters ? *letters : 0.0;
    if (!typed.font.empty()) {
        auto typeface = canvas::read_typeface(typed.font);
        if (!typeface) return tl::unexpected(typeface.error());
        picture.typeface = std::move(*typeface);
    }
    picture.controls = typed.controls;
    picture.transparent = typed.transparent;
    picture.figure = typed.figure;
    picture.plain = typed.plain;
    picture.bare = typed.bare;
    return m;
}

// Takes the file of --style where no option says otherwise. Its colours and lines are taken when the theme is known.
Result<Json> take_style(Typed& typed) {
    if (typed.style.empty()) return empty_object();
    auto style = ui::read_style(typed.style);
    if (!style) return style;
    if (typed.size.empty() && typed.page.empty()) typed.size = text_at(*style, "size");
    if (!typed.letters) typed.letters = number_at(*style, "letters");
    if (!typed.dpi && !typed.scale) typed.dpi = number_at(*style, "dpi");
    if (typed.theme.empty()) typed.theme = text_at(*style, "theme");
    if (!typed.figure.empty() && !typed.plain) typed.bare |= style->value("bare", false);
    if (const std::string& font = text_at(*style, "font"); typed.font.empty() && !font.empty())
        typed.font =
            font == "serif" ? font : (std::filesystem::path(typed.style).parent_path() / font).string();
    return style;
}

Result<void> check_names(const Typed& typed) {
    const auto among = [](std::string_view option, std::string_view value,
                          const std::vector<std::string_view>& known) -> Result<void> {
        if (value.empty() || std::find(known.begin(), known.end(), value) != known.end()) return {};
        return tl::unexpected(not_one_of(option, value, known));
    };
    if (auto good = among("--figure", typed.figure, ids(figures::figures())); !good) return good;
    if (auto good = among("--bench", typed.bench, ids(workbench::benches())); !good) return good;
    return among("--theme", typed.theme, ids(ui::themes()));
}

Result<void> write_png(FileWriter& file, const Scene& scene, const workbench::Preferences& preferences,
                       const Measured& m) {
    const auto text = exporting::scene_text(scene), results = workbench::results_text(m.picture);
    for (const auto* one : {&text, &results})
        if (!*one) return tl::unexpected(one->error());
    const auto context = platform::Offscreen::create(platform::Contexts::only);
    if (!context) return tl::unexpected(context.error());
    exporting::PngWriter png(
        {m.picture.pixel_width(), m.picture.pixel_height(), m.dpi, m.picture.transparent, *text, *results},
        [&](std::string_view bytes) { file.write(bytes); });
    auto drawn = workbench::picture(scene, preferences, m.picture, [&](auto rows) { png.rows(rows); });
    if (drawn) png.finish();
    return drawn;
}

// The scene of --claim, or of the one scene that was named; what every command takes laid over it.
Result<Scene> scene_of(const Typed& typed, const SharedOptions& shared, const Terminal& terminal) {
    if (typed.claim.empty()) return typed.batch.scene(shared, terminal);
    return shared.scene(terminal, workbench::shown(*ui::find_claim(typed.claim)));
}

// The results of an experiment that the one scene that was named holds, or is.
Result<std::shared_ptr<const experiment::Bank>> results_of(const Typed& typed) {
    if (typed.batch.scenes.empty()) return nullptr;
    auto opened = workbench::open_file(typed.batch.scenes.front(), Scene());
    if (!opened || !opened->results) return nullptr;  // what a scene refuses has been said
    return std::make_shared<const experiment::Bank>(
        experiment::bank_of(*opened->results, experiment::Origin::file));
}

Result<void> check_claim(Typed& typed) {
    if (typed.claim.empty()) return {};
    const Claim* claim = ui::find_claim(typed.claim);
    if (claim == nullptr) {
        const auto known = claim_ids();
        return tl::unexpected(not_one_of("--claim", typed.claim, known));
    }
    if (!typed.batch.scenes.empty())
        return refuse("render.claim_and_scene",
                      {{"claim", typed.claim}, {"path", typed.batch.scenes.front()}});
    if (typed.figure.empty() && typed.bench.empty()) typed.figure = claim->figure;  // what decides it, alone
    return {};
}

// Options that would change nothing beside others.
Result<void> check_use(const Typed& typed) {
    const auto unused = [](const char* option, const char* other) {
        return refuse("usage.unused", {{"option", option}, {"other", other}});
    };
    for (const auto& [other, given] :
         {std::pair("--lesson", !typed.lesson.empty()), std::pair("--figure", !typed.figure.empty())})
        if (given && !typed.splits.empty()) return unused("--splits", other);
    for (const auto& [option, given] : {std::pair("--plain", typed.plain), std::pair("--bare", typed.bare)})
        if (given && typed.figure.empty()) return refuse("render.plain", {{"option", option}});
    for (const auto& [option, given] :
         {std::pair("--style", !typed.style.empty()), std::pair("--font", !typed.font.empty()),
          std::pair("--letters", typed.letters.has_value())})
        if (given && !typed.lesson.empty()) return unused(option, "--lesson");
    if (!typed.lesson.empty() && typed.series.asked())
        return unused(typed.series.from ? "--from" : typed.series.to ? "--to" : "--over", "--lesson");
    return {};
}

Result<void> render_lesson(const Typed& typed, const Measured& m, const Terminal& terminal) {
    if (!typed.batch.scenes.empty())
        return refuse("render.lesson_and_scene",
                      {{"lesson", typed.lesson}, {"path", typed.batch.scenes.front()}});
    LessonOrder order{.lesson = typed.lesson, .output = typed.output, .picture = m.picture, .dpi = m.dpi};
    order.preferences.theme = !typed.theme.empty()             ? typed.theme
                              : typed.output.ends_with(".pdf") ? "print"
                                                               : "light";
    order.preferences.language = std::string(code(terminal.strings.language()));
    order.preferences.drag_hint_seen = true;
    order.sized = !typed.size.empty() || !typed.page.empty();
    return write_lesson(order);
}

Result<void> run(Typed typed, const SharedOptions& shared, const Terminal& terminal) {
    if (typed.output.empty()) return refuse("render.no_output");
    if (auto good = typed.batch.checked(); !good) return good;
    if (const auto link =
            typed.batch.scenes.empty() ? std::nullopt : link_of_word(typed.batch.scenes.front());
        link && typed.figure.empty() && typed.bench.empty())
        typed.figure = link->figure;  // which it shows alone
    const auto format = format_of(typed.output);
    if (!format) return tl::unexpected(format.error());
    if (auto good = check_claim(typed); !good) return good;
    const auto style = take_style(typed);
    if (!style) return tl::unexpected(style.error());
    if (auto good = check_names(typed); !good) return good;
    for (const double split : typed.splits)
        if (auto good = within("--splits", split, 0.1, 0.9); !good) return tl::unexpected(good.error());
    if (auto good = typed.series.checked(typed.output); !good) return good;
    if (auto good = check_use(typed); !good) return good;
    auto m = measured(typed, *format);
    if (!m) return tl::unexpected(m.error());
    // An animation tells by itself how far it is.
    std::optional<StillComputing> notice;
    if (!is_series(typed.output)) notice.emplace(terminal);
    if (!typed.lesson.empty()) return render_lesson(typed, *m, terminal);
    if (typed.series.asked() && !is_series(typed.output))
        return refuse("render.one_picture", {{"path", typed.output}});
    auto scene = scene_of(typed, shared, terminal);
    if (!scene) return tl::unexpected(scene.error());
    auto results = results_of(typed);
    if (!results) return tl::unexpected(results.error());
    m->picture.results = std::move(*results);
    if (!typed.claim.empty())
        m->picture.below = workbench::below_picture(*ui::find_claim(typed.claim), *scene, terminal.strings);
    say_remarks(*scene, terminal);
    if (!typed.bench.empty()) scene->bench = typed.bench;

    workbench::Preferences preferences;
    preferences.theme = !typed.theme.empty() ? typed.theme : *format == Format::png ? "light" : "print";
    preferences.language = std::string(code(terminal.strings.language()));
    preferences.drag_hint_seen = true;
    if (!typed.style.empty())
        m->picture.style =
            std::make_shared<const ui::Style>(ui::style_of(*style, ui::theme(preferences.theme)));
    const std::size_t dividers = workbench::figures_of(workbench::bench_of(scene->bench)).size() - 1;
    if (!typed.splits.empty() && typed.splits.size() != dividers)
        return refuse("render.splits", {{"count", std::to_string(typed.splits.size())},
                                        {"bench", scene->bench},
                                        {"dividers", std::to_string(dividers)}});
    if (!typed.splits.empty()) preferences.splits[scene->bench] = typed.splits;
    if (is_series(typed.output))
        return typed.series.write(typed.output, *scene, preferences, m->picture, m->dpi, terminal);

    // Opened first, so that an unwritable path is refused before drawing.
    auto file = open_output(typed.output);
    if (!file) return tl::unexpected(file.error());
    if (*format == Format::png) {
        if (auto written = write_png(*file, *scene, preferences, *m); !written) return written;
    } else {
        file->write(workbench::vector_picture(*scene, preferences, m->picture,
                                              *format == Format::pdf ? exporting::VectorFormat::pdf
                                                                     : exporting::VectorFormat::svg));
    }
    return file->commit();
}

// A picture is named after its scene, and "%d" in that name would number pictures.
Result<void> check_scene_names(std::span<const std::string> scenes) {
    for (const std::string& scene : scenes)
        if (is_series(std::filesystem::path(scene).stem().string() + ".png"))
            return refuse("render.numbered_name", {{"path", scene}});
    return {};
}

// "YaRN: encoding.rope_scaling={…} length=4096", "d_model=64" or, of the Scene as it is, "RoPE", as view.FIGURE.beside lists it.
Json curve_from(const std::string& typed) {
    const auto [label, settings] = label_and_settings(typed);
    return {{"label", label}, {"set", settings.empty() ? Json::array() : Json(settings_in(settings))}};
}

// model=NAME as the settings of its config; the curve has the Scene's length.
Result<void> name_settings_of_models(Json& curve) {
    std::vector<std::string> settings;
    for (const Json& one : curve.at("set")) {
        const std::string& setting = one.get_ref<const std::string&>();
        if (!setting.starts_with("model=")) {
            settings.push_back(setting);
            continue;
        }
        const auto model = read_model(setting.substr(6));
        if (!model) return tl::unexpected(model.error());
        for (const char* key : {"encoding", "base", "layout", "d_model", "num_heads", "head_dim"})
            if (model->scene.contains(key) || std::string_view(key) == "head_dim")
                settings.push_back(fmt::format("{}={}", key, model->scene.value(key, Json()).dump()));
    }
    curve["set"] = settings;
    return {};
}

// The settings that restore what these change: "base=10000" for "base=500".
std::vector<std::string> undoing(std::span<const std::string> settings, const Scene& before) {
    const Json whole = to_json(before);
    std::vector<std::string> made;
    for (const std::string& setting : settings) {
        std::string key = setting.substr(0, setting.find_first_of(".="));
        if (is_own(key)) key = "encoding";
        made.push_back(fmt::format("{}={}", key, whole.value(key, Json()).dump()));
    }
    return made;
}

// --curve, or the values of a key, as curves of one picture: the Scene is the first, so that what the figure says is about it; the
// others begin from the Scene without it.
Result<void> run_together(Typed typed, SharedOptions shared, const Terminal& terminal) {
    Json curves = Json::array();
    for (const std::string& curve : typed.curves) {
        curves.push_back(curve_from(curve));
        if (auto named = name_settings_of_models(curves.back()); !named) return named;
    }
    if (typed.together)
        for (const std::string& setting : settings_of(typed.series.over)) curves.push_back(setting);
    if ((typed.together && typed.series.over.find('=') == std::string::npos) ||
        curves.size() > figures::kMostExtraScenes || typed.batch.scenes.size() > 1 ||
        (typed.figure != "scores" && typed.figure != "spectrum"))
        return refuse("usage.together", {{"most", std::to_string(figures::kMostExtraScenes)}});
    const auto before = typed.batch.scene(shared, terminal);
    if (!before) return tl::unexpected(before.error());
    std::vector<std::string> undo;
    for (Json& listed : curves) {
        auto curve = figures::curve_of(listed);
        if (!curve) return tl::unexpected(curve.error());
        if (const auto scene = figures::scene_of(*curve, *before); !scene)
            return tl::unexpected(scene.error());
        if (&listed == &curves.front()) {
            undo = undoing(curve->settings, *before);
            shared.settings.insert(shared.settings.end(), curve->settings.begin(), curve->settings.end());
        } else if (listed.is_object()) {
            curve->settings.insert(curve->settings.begin(), undo.begin(), undo.end());
            listed["set"] = curve->settings;
        }
    }
    shared.settings.push_back(fmt::format("view.{}.beside={}", typed.figure, curves.dump()));
    typed.series.over.clear();
    return run(typed, shared, terminal);
}

Run add(CLI::App& app, const SharedOptions& shared, const Strings& strings) {
    auto typed = std::make_shared<Typed>();
    const auto help = [&](std::string_view name) {
        return std::string(strings.text(fmt::format("option.{}.help", name)));
    };
    add_option(app, "-o,--output", typed->output, help("picture"), "OUT.png|pdf|svg|mp4|gif|webp");
    add_option(app, "--claim", typed->claim, help("claim"), "ID");
    add_option(app, "--lesson", typed->lesson, help("lesson"), "ID|FILE");
    add_option(app, "--figure", typed->figure, help("figure"), "ID");
    add_option(app, "--bench", typed->bench, help("bench"), "ID");
    add_option(app, "--size", typed->size, help("size"), "WxH[in|cm|mm|px]");
    add_option(app, "--page", typed->page, help("page"), "WxHmm|cm|in");
    add_option(app, "--scale", typed->scale, help("scale"), "N");
    add_option(app, "--dpi", typed->dpi, help("dpi"), "N");
    add_option(app, "--font", typed->font, help("font"), "serif|FILE.ttf|FILE.otf");
    add_option(app, "--letters", typed->letters, help("letters"), "N");
    add_option(app, "--theme", typed->theme, help("theme"), "dark|light|print");
    add_option(app, "--style", typed->style, help("style"), "FILE.json");
    add_option(app, "--splits", typed->splits, help("splits"), "A,B,…");
    add_flag(app, "--transparent", typed->transparent, help("transparent"));
    add_flag(app, "--controls", typed->controls, help("controls"));
    add_flag(app, "--plain", typed->plain, help("plain"));
    add_flag(app, "--bare", typed->bare, help("bare"));
    add_flag(app, "--together", typed->together, help("together"));
    add_list(app, "--curve", "LABEL: KEY=VALUE …", typed->curves, help("curve"));
    typed->series.add_to(app, strings);
    typed->batch.add_to(app, strings);
    return [typed, &shared, &app](const Terminal& terminal) {
        if (typed->together || !typed->curves.empty()) return run_together(*typed, shared, terminal);
        if (typed->series.over.find('=') != std::string::npos) typed->batch.over = typed->series.over;
        if (typed->batch.many() && typed->claim.empty()) {
            if (auto good = check_scene_names(typed->batch.scenes); !good) return good;
            return run_batch(app, typed->batch, typed->output, terminal);
        }
        return run(*typed, shared, terminal);
    };
}

}  // namespace
}  // namespace render_command

extern const Command kRender{"render", render_command::add};

}  // namespace posiscope::commands
