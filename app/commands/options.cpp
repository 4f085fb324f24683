#include "app/commands/options.hpp"

#include "core/formats/file.hpp"

#include <cstdio>
#include <cstdlib>

namespace posiscope::commands {
namespace {

// Each occurrence takes one value; the same option may stand before and after the command's name.
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

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : value;
}

}  // namespace

void Terminal::say(const Problem& problem) const {
    const std::string sentence = strings.sentence(problem) + "\n";
    std::fwrite(sentence.data(), 1, sentence.size(), stderr);
}

void SharedOptions::add_to(CLI::App& app, const Strings& strings) {
    add_list(app, "-s,--scene", "SCENE", scenes, strings.text("option.scene.help"));
    add_list(app, "--set", "KEY=VALUE", settings, strings.text("option.set.help"));
    app.add_option("--lang", language, std::string(strings.text("option.lang.help")))
        ->type_name("en|zh")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.set_help_flag("-h,--help", std::string(strings.text("option.help.help")));
}

Result<Overlaid> read_scene(const Scene& scene, const std::string& path) {
    const auto text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    const auto json = parse_json(*text);
    if (!json) return tl::unexpected(in_file(json.error(), path));
    auto laid = overlay(scene, *json);
    if (!laid) return tl::unexpected(in_file(laid.error(), path));
    for (Problem& adjusted : laid->adjusted) adjusted = in_file(std::move(adjusted), path);
    return laid;
}

Result<Scene> SharedOptions::scene(const Terminal& terminal, Scene scene) const {
    const auto take = [&](Result<Overlaid> laid) -> Result<void> {
        if (!laid) return tl::unexpected(laid.error());
        for (const Problem& adjusted : laid->adjusted) terminal.say(adjusted);
        scene = std::move(laid->scene);
        return {};
    };
    for (const std::string& path : scenes)
        if (auto taken = take(read_scene(scene, path)); !taken) return tl::unexpected(taken.error());
    for (const std::string& setting : settings) {
        const auto partial = partial_from_setting(scene, setting);
        if (!partial) return tl::unexpected(partial.error());
        if (auto taken = take(overlay(scene, *partial)); !taken) return tl::unexpected(taken.error());
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
