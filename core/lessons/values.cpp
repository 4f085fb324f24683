#include "core/lessons/values/value_tables.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

namespace posiscope::lessons {

std::span<const Value> values() {
    static const std::vector<Value> all = [] {
        std::vector<Value> rows;
        for (const auto room :
             {scene_values(), pair_values(), spectrum_values(), shift_values(), score_values(),
              uniqueness_values(), order_values(), term_values(), training_values(), row_values()})
            rows.insert(rows.end(), room.begin(), room.end());
        return rows;
    }();
    return all;
}

const Value* find_value(std::string_view name) {
    const auto found = std::ranges::find(values(), name, &Value::name);
    return found != values().end() ? &*found : nullptr;
}

Problem unknown_value(std::string_view name) {
    const auto group = [](std::string_view of) { return of.substr(0, of.find('.')); };
    std::vector<std::string_view> near, groups;
    for (const Value& value : values()) {
        if (group(value.name) == group(name)) near.push_back(value.name);
        if (std::ranges::find(groups, group(value.name)) == groups.end()) groups.push_back(group(value.name));
    }
    return {"lesson.unknown_value",
            {{"name", std::string(name)},
             {"known", fmt::format("{}", fmt::join(near.empty() ? groups : near, ", "))}}};
}

// The keys of a Scene that are numbers.

namespace {

template <auto Member>
Result<double> key(const Scene& scene) {
    return static_cast<double>(scene.*Member);
}

Result<double> trained_length(const Scene& scene) {
    if (!scene.trained.length) return no_value("trained.length");
    return static_cast<double>(*scene.trained.length);
}

Result<double> other_position(const Scene& scene) {
    return static_cast<double>(scene.position + scene.offset);
}

constexpr std::array kSceneValues = {
    Value{"position", false, key<&Scene::position>}, Value{"position.other", false, other_position},
    Value{"offset", false, key<&Scene::offset>},     Value{"pair", false, key<&Scene::pair>},
    Value{"d_model", false, key<&Scene::d_model>},   Value{"num_heads", false, key<&Scene::num_heads>},
    Value{"length", false, key<&Scene::length>},     Value{"shift", false, key<&Scene::shift>},
    Value{"base", false, key<&Scene::base>},         Value{"trained.length", false, trained_length},
};

}  // namespace

std::span<const Value> scene_values() { return kSceneValues; }

}  // namespace posiscope::lessons
