#include "app/ui/known.hpp"

#include "app/ui/assets.hpp"
#include "core/models/presets.hpp"

#include <algorithm>
#include <stdexcept>

namespace posiscope::ui {
namespace {

// Our own file: what does not fit in it is our mistake.
template <class T>
T must(Result<T> made, std::string_view id) {
    if (!made) throw std::logic_error(fmt::format("example {}: {}", id, to_string(made.error())));
    return std::move(*made);
}

Example read(const Json& entry) {
    Example example;
    example.id = entry.at("id").get<std::string>();
    entry.at("name").get_to(example.name);
    entry.at("help").get_to(example.help);
    example.scene = must(scene_of(entry.at("scene")), example.id);
    if (const auto named = entry.find("preset"); named != entry.end()) {
        const auto preset = std::ranges::find(presets(), named->get<std::string_view>(), &Preset::id);
        if (preset == presets().end()) throw std::logic_error("no preset " + named->get<std::string>());
        example.scene = must(with_preset(example.scene, *preset), example.id).scene;
    }
    return example;
}

}  // namespace

const std::vector<Example>& known_examples() {
    static const std::vector<Example> known = [] {
        std::vector<Example> all;
        const Json json = must(parse_json(assets::file("examples.json")), "");
        for (const Json& entry : json.at("examples")) all.push_back(read(entry));
        return all;
    }();
    return known;
}

const Example* find_example(std::string_view id) {
    const auto found = std::ranges::find(known_examples(), id, &Example::id);
    return found == known_examples().end() ? nullptr : &*found;
}

}  // namespace posiscope::ui
