#include "app/commands/options.hpp"

#include "app/commands/command.hpp"
#include "app/commands/streams.hpp"
#include "app/export/png.hpp"
#include "app/figures/figure.hpp"
#include "app/figures/parts/extra_scenes.hpp"
#include "app/figures/view_keys.hpp"
#include "app/ui/assets.hpp"
#include "app/ui/known.hpp"
#include "app/workbench/window/benches.hpp"
#include "core/encodings/encodings.hpp"
#include "core/experiment/results.hpp"
#include "core/experiment/shown.hpp"
#include "core/formats/file.hpp"
#include "core/models/check.hpp"
#include "core/models/gguf_config.hpp"
#include "core/os/processes.hpp"
#include "core/scene/settings.hpp"
#include "core/scene/source.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <type_traits>

namespace posiscope::commands {
namespace {

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : value;
}

template <class T>
inline constexpr bool kWhole = std::is_same_v<T, int> || std::is_same_v<T, std::optional<std::int64_t>>;
template <class T>
inline constexpr bool kFraction = std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>> ||
                                  std::is_same_v<T, std::vector<double>>;

// The parser takes an empty word for 0 or for nothing, and cuts a whole number that is too large. A complaint is worded as
// its own are, for parser_problem().
template <class T>
std::string complaint(const std::string& typed) {
    bool good = !typed.empty();
    if constexpr (kWhole<T> || kFraction<T>) good = is_number(typed);
    if constexpr (kWhole<T>) good = good && std::abs(std::strtod(typed.c_str(), nullptr)) < 0x1p63;
    return good ? std::string() : " = " + typed;
}

}  // namespace

// Each occurrence takes one value; an option may come before or after the command's name.
void add_list(CLI::App& app, const char* name, const char* type, std::vector<std::string>& values,
              std::string_view help) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [&values](const std::vector<std::string>& given) {
               values.insert(values.end(), given.begin(), given.end());
           },
           std::string(help))
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
}

template <class T>
void add_option(CLI::App& app, const char* names, T& value, std::string_view help, const char* type) {
    CLI::Option* const option = app.add_option(names, value, std::string(help))->type_name(type);
    if (!option->get_positional()) option->check(complaint<T>);
    if constexpr (std::is_same_v<T, std::vector<double>>)
        option->delimiter(',')->allow_extra_args(false);  // one word: the next may be a scene
}
template void add_option(CLI::App&, const char*, std::string&, std::string_view, const char*);
template void add_option(CLI::App&, const char*, int&, std::string_view, const char*);
template void add_option(CLI::App&, const char*, double&, std::string_view, const char*);
template void add_option(CLI::App&, const char*, std::optional<double>&, std::string_view, const char*);
template void add_option(CLI::App&, const char*, std::optional<std::int64_t>&, std::string_view, const char*);
template void add_option(CLI::App&, const char*, std::vector<std::string>&, std::string_view, const char*);
template void add_option(CLI::App&, const char*, std::vector<double>&, std::string_view, const char*);

void add_flag(CLI::App& app, const char* names, bool& value, std::string_view help) {
    app.add_flag(names, value, std::string(help));
}

void Terminal::say(const Problem& problem) const {
    if (!quiet) say_error(problem);
}

void Terminal::say_error(const Problem& problem) const {
    os::say_error(printable(strings.sentence(problem)) + "\n");
}

void SharedOptions::add_to(CLI::App& app, const Strings& strings) {
    if (app.get_name() != "experiment")  // which has its own presets
        app.add_option("--preset", preset, std::string(strings.text("option.preset.help")))
            ->type_name("ID")
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.add_option("--model", model, std::string(strings.text("option.model.help")))
        ->type_name("NAME|config.json")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.add_option("--part", part, std::string(strings.text("option.part.help")))
        ->type_name("language|vision")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    add_list(app, "-s,--scene", "SCENE", scenes, strings.text("option.scene.help"));
    add_list(app, "--set", "KEY=VALUE", settings, strings.text("option.set.help"));
    app.add_flag("--allow-files", allow_files, std::string(strings.text("option.allow_files.help")));
    app.add_flag("-q,--quiet", quiet, std::string(strings.text("option.quiet.help")));
    app.add_option("--lang", language, std::string(strings.text("option.lang.help")))
        ->type_name("en|zh")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.set_help_flag("-h,--help", std::string(strings.text("option.help.help")));
}

namespace {

// Remarks on a model's settings are reported for the final Scene, after -s and --set.
void leave_remarks(ModelScene& model) {
    const auto laid = overlay(Scene(), model.scene);
    if (!laid) return;
    const auto remarks = remarks_on(laid->scene);
    std::erase_if(model.notes, [&](const Problem& note) {
        const bool in_check =
            takes_scalings(laid->scene) && model.scene.contains("trained") &&
            (note.key == "config.ignored" || note.key == "config.overruled" || note.key == "config.qk_norm");
        return in_check || std::find(remarks.begin(), remarks.end(), note) != remarks.end();
    });
}

}  // namespace

namespace {

// A config.json, or the settings of a .gguf.
Result<ModelScene> read_config_at(const std::string& path, Part part) {
    const auto named = [&](Problem problem) { return in_file(std::move(problem), path); };
    if (path.ends_with(".gguf")) {
        const auto config = config_of_gguf(path);
        if (!config) return tl::unexpected(config.error());
        return read_config(*config, part).map_error(named);
    }
    if (auto refused = refused_yaml(path)) return tl::unexpected(std::move(*refused));
    const auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    return read_config_text(*text, part).map_error(named);
}

}  // namespace

Result<ModelScene> read_settings(const std::string& name_or_path) {
    if (!name_or_path.ends_with(".json")) return read_model(name_or_path);
    auto model = read_config_at(name_or_path, Part::language);
    if (!model) return model;
    leave_remarks(*model);
    for (Problem& note : model->notes) note = in_file(std::move(note), name_or_path);
    return model;
}

Result<ModelScene> read_model(const std::string& name_or_path, Part part) {
    const std::vector<ModelRow>& rows = ui::known_models();
    const bool known =
        std::any_of(rows.begin(), rows.end(), [&](const ModelRow& row) { return row.name == name_or_path; });
    std::error_code ignored;
    if (known || (!name_or_path.ends_with(".json") && !std::filesystem::exists(name_or_path, ignored)))
        return model_scene(rows, name_or_path).map([](ModelScene made) {
            leave_remarks(made);
            return made;
        });
    auto model = read_config_at(name_or_path, part);
    if (!model) return model;
    name_origin(*model, rows, name_or_path);
    leave_remarks(*model);
    for (Problem& note : model->notes) note = in_file(std::move(note), name_or_path);
    return model;
}

void say_remarks(const Scene& scene, const Terminal& terminal) {
    const auto found = scene.trained == Trained{} ? Result<std::vector<Finding>>(tl::unexpected(Problem{}))
                                                  : check_settings(scene);
    if (!found) {  // nothing to compare with, or nothing rotates
        for (const Problem& remark : remarks_on(scene)) terminal.say(remark);
        return;
    }
    for (const Finding& finding : *found)
        if (finding.severity != Severity::fine) terminal.say(finding.problem);
}

namespace {

Result<Json> read_json(const std::string& path) {
    if (const auto link = link_of_word(path)) return scene_of(*link);
    if (path.ends_with(".png")) return exporting::scene_in_png(path);
    const auto text = read_input(path);
    if (!text) return tl::unexpected(text.error());
    return parse_json(*text).map_error([&](Problem problem) { return in_file(std::move(problem), path); });
}

}  // namespace

Result<Overlaid> read_scene(const Scene& scene, const std::string& path, Unread unread) {
    auto json = read_json(path);
    if (!json) return tl::unexpected(json.error());
    if (experiment::looks_like_results(*json)) {
        const auto results = experiment::results_from(json->dump());
        if (!results) return tl::unexpected(in_file(results.error(), path));
        json = experiment::scene_of(results->settings);
    }
    Source source = path == "-" ? Source::anywhere() : Source::file(path);
    source.trusted = unread == Unread::allowed;
    if (auto admitted = admit(*json, source); !admitted && unread == Unread::refused)
        return tl::unexpected(in_file(admitted.error(), path));
    auto laid = overlay(scene, *json);
    if (!laid) return tl::unexpected(in_file(laid.error(), path));
    for (Problem& adjusted : laid->adjusted) adjusted = in_file(std::move(adjusted), path);
    return laid;
}

namespace {

// A problem with a figure's view as typed: no such mode for the Scene's encoding, no such key or no such value.
std::optional<Problem> unknown_of(const figures::Figure& figure, const Scene& scene, const Json& typed) {
    const std::string path = join_path("view", figure.id);
    if (!typed.is_object()) return std::nullopt;  // null: as it was at first
    std::vector<std::string_view> names;
    if (figure.modes != nullptr) names.push_back("mode");
    for (const figures::ViewKey& key : figures::view_keys())
        if (key.figure == figure.id) names.push_back(key.parameter.key);
    for (const auto& [name, value] : typed.items()) {
        if (std::ranges::find(names, name) == names.end()) return not_one_of(path, name, names);
        if (name == "beside" && value.is_array())
            for (const Json& one : value)
                if (auto good = figures::curve_of(one).and_then(
                        [&](const figures::NamedCurve& curve) { return figures::scene_of(curve, scene); });
                    !good)
                    return good.error();
        if (value.is_null()) continue;
        const std::string where = join_path(path, name);
        for (const figures::ViewKey& key : figures::view_keys())
            if (key.figure == figure.id && key.parameter.key == name)
                if (auto good = checked(key.parameter, value, where); !good) return good.error();
        if (name != "mode") continue;
        const auto modes = figure.modes(scene);
        const std::string mode = value.is_string() ? value.get<std::string>() : value.dump();
        if (std::ranges::find(modes, mode) == modes.end()) return not_one_of(where, mode, modes);
    }
    return std::nullopt;
}

std::optional<Problem> unknown_view(const Scene& scene, const Json& typed) {
    const auto view = typed.find("view");
    if (view == typed.end() || !view->is_object()) return std::nullopt;
    std::vector<std::string_view> known = {"compare", "dump",  "experiment",
                                           "ids",     "marks", "model"};  // what several share
    for (const figures::Figure* figure : figures::figures()) known.push_back(figure->id);
    for (const auto& [name, value] : view->items()) {
        if (std::ranges::find(known, name) == known.end()) return not_one_of("view", name, known);
        static const figures::Figure dump{
            .id = "dump", .headline = nullptr, .draw = nullptr, .modes = nullptr};
        if (const figures::Figure* figure = name == dump.id ? &dump : figures::find_figure(name))
            if (auto problem = unknown_of(*figure, scene, value)) return problem;
    }
    return std::nullopt;
}

}  // namespace

Result<Part> SharedOptions::model_part() const {
    constexpr std::string_view parts[] = {"language", "vision"};
    if (!part.empty() && std::ranges::find(parts, part) == std::end(parts))
        return tl::unexpected(not_one_of("--part", part, parts));
    return part == "vision" ? Part::vision : Part::language;
}

Result<Scene> SharedOptions::scene(const Terminal& terminal, Scene scene, Unread unread) const {
    const auto take = [&](Result<Overlaid> laid) -> Result<void> {
        if (!laid) return tl::unexpected(laid.error());
        for (const Problem& adjusted : laid->adjusted) terminal.say(adjusted);
        scene = std::move(laid->scene);
        return {};
    };
    if (!preset.empty()) {
        const ui::Example* example = ui::find_example(preset);
        if (example == nullptr) {
            std::vector<std::string_view> names;
            for (const ui::Example& known : ui::known_examples()) names.push_back(known.id);
            return tl::unexpected(not_one_of("--preset", preset, names));
        }
        scene = example->scene;
    }
    const auto of = model_part();
    if (!of) return tl::unexpected(of.error());
    if (!model.empty()) {
        const auto read = read_model(model, *of);
        if (!read) return tl::unexpected(read.error());
        for (const Problem& note : read->notes) terminal.say(note);
        if (auto taken = take(with_model(scene, *read)); !taken) return tl::unexpected(taken.error());
    }
    for (const std::string& path : scenes)
        if (auto taken = take(read_scene(scene, path, unread)); !taken) return tl::unexpected(taken.error());
    auto partial = partial_from_settings(scene, settings);
    if (!partial) return tl::unexpected(partial.error());
    (void)admit(*partial, Source::typed());
    if (auto taken = take(overlay(scene, *partial)); !taken) return tl::unexpected(taken.error());
    // Of the view only what was typed: files may hold what another version knows.
    Scene without = scene;
    without.view = empty_object();
    const auto typed = partial_from_settings(without, settings);
    if (!typed) return tl::unexpected(typed.error());
    if (auto problem = unknown_view(scene, *typed)) return tl::unexpected(std::move(*problem));
    if (typed->contains("bench")) {
        std::vector<std::string_view> names;
        for (const workbench::Bench& known : workbench::benches()) names.push_back(known.id);
        if (std::ranges::find(names, scene.bench) == names.end())
            return tl::unexpected(not_one_of("bench", scene.bench, names));
    }
    return scene;
}

Language language_of_arguments(int argc, const char* const* argv) {
    constexpr std::string_view flag = "--lang";
    std::string_view asked;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == flag && i + 1 < argc) asked = argv[i + 1];
        else if (argument.starts_with(flag) && argument.substr(flag.size()).starts_with('='))
            asked = argument.substr(flag.size() + 1);
    }
    if (asked == "en" || asked == "zh") return language_of(asked);
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const std::string_view locale = variable(name); !locale.empty()) return language_of(locale);
    return Language::english;
}

}  // namespace posiscope::commands
