#include "core/scene/keys.hpp"

#include "core/encodings/encodings.hpp"
#include "core/experiment/shown.hpp"
#include "core/positions/positions.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace posiscope {
namespace {

using Kind = Parameter::Kind;
using Part = SceneKey::Part;

constexpr double kMostViewValues = 4096;  // figures write a few dozen

// Members as JSON and back; what is read was checked.
Json written(double value) { return value; }
Json written(std::int64_t value) { return value; }
Json written(bool value) { return value; }
Json written(const std::string& value) { return value; }
Json written(const Json& value) { return value; }
Json written(PairLayout value) { return value == PairLayout::halves ? "half" : "interleaved"; }
Json written(const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(nullptr); }
Json written(const Choice& value) {
    Json json = value.parameters;
    json["kind"] = value.kind;
    return json;
}
Json written(const Trained& value) { return {{"length", written(value.length)}, {"scene", value.scene}}; }

void read(const Json& json, double& value) { value = json.get<double>(); }
void read(const Json& json, std::int64_t& value) { value = json.get<std::int64_t>(); }
void read(const Json& json, bool& value) { value = json.get<bool>(); }
void read(const Json& json, std::string& value) { value = json.get<std::string>(); }
void read(const Json& json, Json& value) { value = json; }
void read(const Json& json, PairLayout& value) {
    value = json == "half" ? PairLayout::halves : PairLayout::interleaved;
}
void read(const Json& json, std::optional<std::int64_t>& value) {
    value = json.is_null() ? std::optional<std::int64_t>() : json.get<std::int64_t>();
}
void read(const Json& json, Choice& value) {
    value.parameters = json;
    value.parameters.erase("kind");
    value.kind = json.at("kind").get<std::string>();
}
void read(const Json& json, Trained& value) {
    read(json.at("length"), value.length);
    value.scene = json.at("scene");
}

template <auto Member>
SceneKey row(Part part, Parameter parameter) {
    static const Scene defaults;
    parameter.fallback = written(defaults.*Member);
    return {std::move(parameter),
            part,
            [](const Scene& scene) { return written(scene.*Member); },
            [](Scene& scene, const Json& checked) { read(checked, scene.*Member); },
            [](const Scene& a, const Scene& b) { return a.*Member == b.*Member; },
            [](Scene& onto, const Scene& from) { onto.*Member = from.*Member; }};
}

// "rope", {"kind": "rope", …} → the kind with every parameter filled in.
Result<Json> choose(const Json& value, std::string_view path, std::span<const std::string_view> kinds,
                    std::span<const Parameter> (*parameters_of)(std::string_view)) {
    Json given = value.is_string() ? Json{{"kind", value}} : value;
    const std::string where(path);
    const Problem no_kind{"choice.kind", {{"path", where}, {"example", std::string(kinds.front())}}};
    if (!given.is_object()) return tl::unexpected(no_kind);
    const auto kind = given.find("kind");
    if (kind == given.end() || !kind->is_string()) return tl::unexpected(no_kind);
    const auto known = std::find(kinds.begin(), kinds.end(), kind->get_ref<const std::string&>());
    if (known == kinds.end())
        return refuse("value.choice", {{"path", join_path(path, "kind")},
                                       {"value", shown(*kind)},
                                       {"choices", fmt::format("{}", fmt::join(kinds, ", "))}});
    given.erase(kind);
    auto parameters = checked_all(parameters_of(*known), given, path);
    if (parameters) (*parameters)["kind"] = std::string(*known);
    return parameters;
}

Result<Json> checked_encoding(const Json& value) {
    return choose(value, "encoding", encoding_kinds(),
                  [](std::string_view kind) { return find_encoding(kind)->parameters; });
}

Result<Json> checked_content(const Json& value) {
    auto chosen = choose(prepared_content(value), "content", content_kinds(), content_parameters);
    if (!chosen) return chosen;
    Choice choice;
    read(*chosen, choice);
    auto problem = choice.kind == "tokens"    ? check_words(choice.parameters)
                   : choice.kind == "vectors" ? check_vectors(choice.parameters)
                   : choice.kind == "tensors" ? check_stored(choice.parameters)
                                              : std::nullopt;
    if (problem) return tl::unexpected(std::move(*problem));
    return written(choice);
}

Result<Json> checked_view(const Json& value) {
    static const Parameter whole{.key = "view", .kind = Kind::dictionary, .maximum = kMostViewValues};
    auto good = checked(whole, value, whole.key);
    if (good) {  // the parts of it that figures do not read as they please
        if (auto shown = experiment::shown_in(*good); !shown) return tl::unexpected(shown.error());
        if (auto ids = ids_in(*good); !ids) return tl::unexpected(ids.error());
    }
    return good;
}

std::vector<SceneKey> all_rows() {
    constexpr auto last = static_cast<double>(kLastPosition);
    constexpr auto width = static_cast<double>(kLargestWidth);
    std::vector<SceneKey> rows = {
        row<&Scene::encoding>(Part::encoding, {.key = "encoding", .kind = Kind::dictionary}),
        row<&Scene::base>(Part::encoding, {.key = "base",
                                           .kind = Kind::number,
                                           .minimum = 1,
                                           .maximum = kLargestBase,
                                           .above_minimum = true}),
        row<&Scene::layout>(Part::encoding,
                            {.key = "layout", .kind = Kind::choice, .choices = {"interleaved", "half"}}),
        row<&Scene::d_model>(Part::encoding,
                             {.key = "d_model", .kind = Kind::integer, .minimum = 2, .maximum = width}),
        row<&Scene::num_heads>(
            Part::encoding, {.key = "num_heads", .kind = Kind::integer, .minimum = 1, .maximum = width / 2}),
        row<&Scene::head_dim>(Part::encoding,
                              {.key = "head_dim", .kind = Kind::integer, .minimum = 2, .maximum = width}),
        row<&Scene::content>(Part::encoding, {.key = "content", .kind = Kind::dictionary}),
        row<&Scene::causal>(Part::encoding, {.key = "causal", .kind = Kind::boolean}),
        row<&Scene::length>(Part::place,
                            {.key = "length", .kind = Kind::integer, .minimum = 1, .maximum = last}),
        row<&Scene::position>(Part::place,
                              {.key = "position", .kind = Kind::integer, .minimum = 0, .maximum = last}),
        row<&Scene::offset>(Part::place,
                            {.key = "offset", .kind = Kind::integer, .minimum = -last, .maximum = last}),
        row<&Scene::pair>(Part::place,
                          {.key = "pair", .kind = Kind::integer, .minimum = 0, .maximum = width / 2 - 1}),
        row<&Scene::shift>(Part::place,
                           {.key = "shift", .kind = Kind::integer, .minimum = 0, .maximum = last}),
        row<&Scene::trained>(Part::outermost, {.key = "trained", .kind = Kind::dictionary}),
        row<&Scene::compare>(Part::outermost, {.key = "compare", .kind = Kind::dictionary}),
        row<&Scene::bench>(Part::outermost, {.key = "bench", .kind = Kind::text}),
        row<&Scene::view>(Part::outermost,
                          {.key = "view", .kind = Kind::dictionary, .maximum = kMostViewValues}),
    };
    const auto at = [&](std::string_view key) -> SceneKey& {
        return *std::find_if(rows.begin(), rows.end(),
                             [&](const SceneKey& one) { return one.parameter.key == key; });
    };
    at("encoding").check = checked_encoding;
    at("content").check = checked_content;
    at("view").check = checked_view;
    at("trained").check = checked_trained_length;
    at("trained").check_inside = checked_trained;
    at("compare").check = [](const Json&) -> Result<Json> { return nullptr; };
    at("compare").check_inside = checked_compare;
    return rows;
}

}  // namespace

std::span<const SceneKey> scene_keys() {
    static const std::vector<SceneKey> rows = all_rows();
    return rows;
}

const SceneKey* find_scene_key(std::string_view key) {
    const auto rows = scene_keys();
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const SceneKey& one) { return one.parameter.key == key; });
    return found == rows.end() ? nullptr : &*found;
}

std::string known_keys() {
    std::string known = "version";
    for (const SceneKey& one : scene_keys()) known += fmt::format(", {}", one.parameter.key);
    return known;
}

std::span<const Parameter> scene_parameters() {
    static const std::vector<Parameter> parameters = [] {
        std::vector<Parameter> values;
        for (const SceneKey& one : scene_keys())
            if (one.check == nullptr) values.push_back(one.parameter);
        return values;
    }();
    return parameters;
}

const Parameter& scene_parameter(std::string_view key) {
    const SceneKey* found = find_scene_key(key);
    if (found == nullptr) throw std::logic_error(fmt::format("no scene key '{}'", key));
    return found->parameter;
}

namespace {

void change_view(Json& onto, const Json& before, const Json& after) {
    for (const auto& [key, value] : before.items())
        if (!after.contains(key)) onto.erase(key);
    for (const auto& [key, value] : after.items())
        if (const auto old = before.find(key); old == before.end() || *old != value) onto[key] = value;
}

}  // namespace

Scene with_changes(Scene onto, const Scene& before, const Scene& after) {
    for (const SceneKey& one : scene_keys())
        if (one.parameter.key != "view" && !one.equal(before, after)) one.copy(onto, after);
    change_view(onto.view, before.view, after.view);
    return onto;
}

// Writes a Scene as JSON: whole, or only the differences from the defaults.
Json to_json(const Scene& scene) {
    Json json{{"version", kSceneVersion}};
    for (const SceneKey& one : scene_keys()) json[std::string(one.parameter.key)] = one.get(scene);
    return json;
}

Json to_partial_json(const Scene& scene) {
    static const Scene defaults;
    Json partial = Json::object();
    for (const SceneKey& one : scene_keys())
        if (!one.equal(scene, defaults)) partial[std::string(one.parameter.key)] = one.get(scene);
    return partial;
}

}  // namespace posiscope
