#include "core/lessons/condition.hpp"

#include "core/json_members.hpp"
#include "core/lessons/numbers.hpp"
#include "core/scene/keys.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace posiscope::lessons {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostParts = 16;

tl::unexpected<Problem> wrong(const std::string& path) {
    return refuse("lesson.condition", {{"path", path}});
}

bool has_only(const Json& json, std::initializer_list<std::string_view> keys) {
    return std::ranges::all_of(json.items(), [&](const auto& item) {
        return std::ranges::find(keys, std::string_view(item.key())) != keys.end();
    });
}

// `path` must name a key that Scenes have.
bool is_scene_key(std::string_view path) {
    static const Json json = to_json(Scene());
    return json.contains(std::string(path.substr(0, path.find('.'))));
}

Result<Condition> read_comparison(const Json& json, const std::string& path) {
    Condition made;
    if (json.contains("key")) {
        if (!json["key"].is_string() || !json.contains("is") || !has_only(json, {"key", "is"}))
            return wrong(path);
        made.kind = Condition::Kind::key;
        made.key = json["key"].get<std::string>();
        made.is = json["is"];
        if (!is_scene_key(made.key))
            return refuse("lesson.unknown_key", {{"path", path}, {"key", made.key}, {"known", known_keys()}});
        return made;
    }
    if (!json.contains("value") || !json["value"].is_string()) return wrong(path);
    const auto name = json["value"].get<std::string>();
    made.kind = Condition::Kind::value;
    made.value = find_value(name);
    if (made.value == nullptr) return tl::unexpected(unknown_value(name));
    const auto is = number_at(json, "is"), near = number_at(json, "near"), within = number_at(json, "within"),
               at_least = number_at(json, "at_least"), at_most = number_at(json, "at_most");
    if (is && has_only(json, {"value", "is"})) made.least = made.most = *is;
    else if (near && within && *within >= 0.0 && has_only(json, {"value", "near", "within"}))
        made.least = *near - *within, made.most = *near + *within;
    else if ((at_least || at_most) && has_only(json, {"value", "at_least", "at_most"}))
        made.least = at_least.value_or(-kInfinity), made.most = at_most.value_or(kInfinity);
    else return wrong(path);
    if (made.least > made.most) return wrong(path);
    return made;
}

}  // namespace

Result<Condition> read_condition(const Json& json, const std::string& path) {
    if (!json.is_object()) return wrong(path);
    struct Group {
        const char* key;
        Condition::Kind kind;
    };
    constexpr std::array groups = {Group{"all", Condition::Kind::all}, Group{"any", Condition::Kind::any},
                                   Group{"not", Condition::Kind::negation}};
    for (const auto& [key, kind] : groups) {
        if (!json.contains(key)) continue;
        if (json.size() != 1) return wrong(path);
        Condition made;
        made.kind = kind;
        const Json inner = kind == Condition::Kind::negation ? Json::array({json[key]}) : json[key];
        if (!inner.is_array() || inner.empty() || inner.size() > kMostParts) return wrong(path);
        for (const Json& part : inner) {
            auto read = read_condition(part, join_path(path, key));
            if (!read) return read;
            made.parts.push_back(std::move(*read));
        }
        return made;
    }
    return read_comparison(json, path);
}

bool holds(const Condition& condition, const Json& scene, const Numbers& numbers) {
    const auto part_holds = [&](const Condition& part) { return holds(part, scene, numbers); };
    switch (condition.kind) {
        case Condition::Kind::all: return std::ranges::all_of(condition.parts, part_holds);
        case Condition::Kind::any: return std::ranges::any_of(condition.parts, part_holds);
        case Condition::Kind::negation: return !part_holds(condition.parts.front());
        case Condition::Kind::key: return scene_value(scene, condition.key) == condition.is;
        case Condition::Kind::value: {
            const Result<double>* value = numbers.of(*condition.value);
            return value != nullptr && *value && **value >= condition.least && **value <= condition.most;
        }
    }
    return false;
}

const Json& scene_value(const Json& scene, std::string_view path) {
    static const Json nothing;
    const Json* at = &scene;
    while (!path.empty()) {
        const auto dot = path.find('.');
        if (!at->is_object()) return nothing;
        const auto found = at->find(std::string(path.substr(0, dot)));
        if (found == at->end()) return nothing;
        at = &*found;
        path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    }
    return *at;
}

}  // namespace posiscope::lessons
