#include "core/scene/scene.hpp"

#include "core/encodings/encodings.hpp"
#include "core/scene/content.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace posiscope {
namespace {

using Kind = Parameter::Kind;
using Named = std::set<std::string, std::less<>>;

constexpr double kMostViewValues = 4096;  // figures write a few dozen

constexpr std::string_view kStructured[] = {"version", "encoding", "content", "trained", "compare"};
// Keys that a trained or compared Scene may not have: Scenes do not nest further.
constexpr std::string_view kOutermostOnly[] = {"version", "trained", "compare", "bench", "view"};

std::string text(std::int64_t value) { return std::to_string(value); }

void assign(Scene& scene, std::string_view key, const Json& value) {
    if (key == "base") scene.base = value.get<double>();
    else if (key == "layout") scene.layout = value == "half" ? PairLayout::halves : PairLayout::interleaved;
    else if (key == "d_model") scene.d_model = value.get<std::int64_t>();
    else if (key == "num_heads") scene.num_heads = value.get<std::int64_t>();
    else if (key == "head_dim")
        scene.head_dim = value.is_null() ? std::optional<std::int64_t>() : value.get<std::int64_t>();
    else if (key == "length") scene.length = value.get<std::int64_t>();
    else if (key == "position") scene.position = value.get<std::int64_t>();
    else if (key == "offset") scene.offset = value.get<std::int64_t>();
    else if (key == "pair") scene.pair = value.get<std::int64_t>();
    else if (key == "shift") scene.shift = value.get<std::int64_t>();
    else if (key == "causal") scene.causal = value.get<bool>();
    else if (key == "bench") scene.bench = value.get<std::string>();
    else if (key == "view") scene.view = value;
    else throw std::logic_error(fmt::format("scene key '{}' is declared but not assigned", key));
}

// "rope", {"kind": "rope", …} → the kind with every parameter filled in.
Result<Choice> choose(const Json& value, std::string_view path, std::span<const std::string_view> kinds,
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
    if (!parameters) return tl::unexpected(parameters.error());
    return Choice{std::string(*known), std::move(*parameters)};
}

Result<Choice> choose_encoding(const Json& value) {
    return choose(value, "encoding", encoding_kinds(),
                  [](std::string_view kind) { return find_encoding(kind)->parameters; });
}

Result<Choice> choose_content(const Json& value) {
    auto choice = choose(prepared_content(value), "content", content_kinds(), content_parameters);
    if (choice && choice->kind == "tokens")
        if (auto problem = check_words(choice->parameters)) return tl::unexpected(std::move(*problem));
    if (choice && choice->kind == "vectors")
        if (auto problem = check_vectors(choice->parameters)) return tl::unexpected(std::move(*problem));
    return choice;
}

Result<Overlaid> lay(const Scene& scene, const Json& partial, const Named& named);

// A partial Scene inside a Scene: it must be applicable to it. Its values count as dependent, so
// that they stay valid while the outer Scene changes.
Result<Json> inner_partial(const Scene& scene, const Json& partial, std::string_view path) {
    if (!partial.is_object())
        return refuse("value.kind",
                      {{"path", std::string(path)}, {"kind", "dictionary"}, {"value", shown(partial)}});
    for (const std::string_view key : kOutermostOnly)
        if (partial.contains(std::string(key)))
            return refuse("scene.nested", {{"path", join_path(path, key)}});
    auto laid = lay(scene, partial, {});
    if (laid) return partial;
    Problem problem = laid.error();
    for (auto& [name, value] : problem.values)
        if (name == "path") value = join_path(path, value);
    return tl::unexpected(std::move(problem));
}

// All of `trained` but its scene, which is applied after the other keys.
Result<Trained> read_trained_length(const Json& value) {
    static const Parameter length{"length", Kind::integer, nullptr, 1, static_cast<double>(kLastPosition)};
    Trained trained;
    if (!value.is_object())
        return refuse("value.kind", {{"path", "trained"}, {"kind", "dictionary"}, {"value", shown(value)}});
    for (const auto& [key, inner] : value.items()) {
        if (key != "length" && key != "scene")
            return refuse("key.unknown", {{"path", join_path("trained", key)}, {"known", "length, scene"}});
        if (inner.is_null() || key == "scene") continue;
        auto good = checked(length, inner, "trained.length");
        if (!good) return tl::unexpected(good.error());
        trained.length = good->get<std::int64_t>();
    }
    return trained;
}

Result<Trained> read_trained(const Scene& scene, const Json& value) {
    auto trained = read_trained_length(value);
    const auto inner = trained ? value.find("scene") : value.end();
    if (inner == value.end() || inner->is_null()) return trained;
    auto good = inner_partial(scene, *inner, "trained.scene");
    if (!good) return tl::unexpected(good.error());
    trained->scene = std::move(*good);
    return trained;
}

std::int64_t last_pair(const Scene& scene) {
    const std::int64_t pairs = find_encoding(scene.encoding.kind)->pairs(scene);
    return std::max<std::int64_t>(pairs > 0 ? pairs : scene.d_model / 2, 1) - 1;
}

bool heads_matter(const Scene& scene) {
    return find_encoding(scene.encoding.kind)->per_head && !scene.head_dim;
}

// The largest number of heads, up to the Scene's own, that gives every head whole pairs.
std::int64_t most_heads(const Scene& scene) {
    std::int64_t heads = std::min(scene.num_heads, scene.d_model / 2);
    while (scene.d_model % (2 * heads) != 0) --heads;
    return heads;
}

std::int64_t nearest_heads(const Scene& scene) {
    const std::int64_t below = most_heads(scene);
    for (std::int64_t above = scene.num_heads;
         above < 2 * scene.num_heads - below && above <= scene.d_model / 2; ++above)
        if (scene.d_model % (2 * above) == 0) return above;
    return below;
}

// The rules between values. A named value that breaks one is a Problem; an unnamed one is moved.
Result<std::vector<Problem>> relate(Scene& scene, const Named& named) {
    std::vector<Problem> adjusted;
    if (scene.d_model % 2 != 0)
        return refuse("d_model.odd", {{"value", text(scene.d_model)},
                                      {"lower", text(std::max<std::int64_t>(scene.d_model - 1, 2))},
                                      {"upper", text(std::min(scene.d_model + 1, kLargestWidth))}});
    if (scene.head_dim && *scene.head_dim % 2 != 0)
        return refuse("head_dim.odd", {{"value", text(*scene.head_dim)},
                                       {"lower", text(*scene.head_dim - 1)},
                                       {"upper", text(*scene.head_dim + 1)}});

    if (heads_matter(scene) && scene.d_model % (2 * scene.num_heads) != 0) {
        if (named.contains("num_heads"))
            return refuse("num_heads.divide", {{"value", text(scene.num_heads)},
                                               {"d_model", text(scene.d_model)},
                                               {"nearest", text(nearest_heads(scene))}});
        const std::int64_t heads = most_heads(scene);
        adjusted.push_back({"num_heads.clamped", {{"from", text(scene.num_heads)}, {"to", text(heads)}}});
        scene.num_heads = heads;
    }

    const std::int64_t lowest = -scene.position;
    const std::int64_t highest = kLastPosition - scene.position;
    if (scene.offset < lowest || scene.offset > highest) {
        if (named.contains("offset"))
            return refuse("offset.reach", {{"value", text(scene.offset)},
                                           {"position", text(scene.position)},
                                           {"minimum", text(lowest)},
                                           {"maximum", text(highest)}});
        const std::int64_t offset = std::clamp(scene.offset, lowest, highest);
        adjusted.push_back({"offset.clamped", {{"from", text(scene.offset)}, {"to", text(offset)}}});
        scene.offset = offset;
    }

    if (const auto& check = find_encoding(scene.encoding.kind)->check; check)
        if (auto problem = check(scene)) return tl::unexpected(std::move(*problem));

    if (const std::int64_t last = last_pair(scene); scene.pair > last) {
        if (named.contains("pair"))
            return refuse("pair.reach", {{"value", text(scene.pair)}, {"maximum", text(last)}});
        adjusted.push_back({"pair.clamped", {{"from", text(scene.pair)}, {"to", text(last)}}});
        scene.pair = last;
    }
    return adjusted;
}

// Removes a partial Scene that an outer change invalidates; reports it in `adjusted`.
void keep_inner(Scene& scene, std::vector<Problem>& adjusted) {
    if (!scene.compare.is_null() && !inner_partial(scene, scene.compare, "compare")) {
        adjusted.push_back({"compare.dropped", {}});
        scene.compare = nullptr;
    }
    if (!scene.trained.scene.empty() && !inner_partial(scene, scene.trained.scene, "trained.scene")) {
        adjusted.push_back({"trained.dropped", {}});
        scene.trained.scene = Json::object();
    }
}

Scene inner_scene(const Scene& scene, const Json& partial) {
    auto laid = lay(scene, partial, {});
    if (!laid)
        throw std::logic_error("an edit left an inner scene out of bounds: " + to_string(laid.error()));
    laid->scene.compare = nullptr;
    return std::move(laid->scene);
}

}  // namespace

Scene::Scene() {
    encoding = {"sinusoidal",
                *checked_all(find_encoding("sinusoidal")->parameters, Json::object(), "encoding")};
}

std::span<const Parameter> scene_parameters() {
    constexpr auto last = static_cast<double>(kLastPosition);
    constexpr auto width = static_cast<double>(kLargestWidth);
    static const std::vector<Parameter> parameters = {
        {"base", Kind::number, 10000.0, 1, kLargestBase, true},
        {"layout", Kind::choice, "interleaved", 0, 0, false, {"interleaved", "half"}},
        {"d_model", Kind::integer, 512, 2, width},
        {"num_heads", Kind::integer, 1, 1, width / 2},
        {"head_dim", Kind::integer, nullptr, 2, width},
        {"length", Kind::integer, 128, 1, last},
        {"position", Kind::integer, 10, 0, last},
        {"offset", Kind::integer, 3, -last, last},
        {"pair", Kind::integer, 10, 0, width / 2 - 1},
        {"shift", Kind::integer, 0, 0, last},
        {"causal", Kind::boolean, true},
        {"bench", Kind::text, "overview"},
        {"view", Kind::dictionary, Json::object(), 0, kMostViewValues},
    };
    return parameters;
}

const Parameter& scene_parameter(std::string_view key) {
    for (const Parameter& parameter : scene_parameters())
        if (parameter.key == key) return parameter;
    throw std::logic_error(fmt::format("no scene key '{}'", key));
}

namespace {

Result<Overlaid> lay(const Scene& scene, const Json& partial, const Named& named) {
    if (!partial.is_object()) return refuse("scene.object", {{"kind", std::string(kind_of(partial))}});
    if (const auto version = partial.find("version"); version != partial.end() && !version->is_null()) {
        if (!version->is_number_integer())
            return refuse("value.kind",
                          {{"path", "version"}, {"kind", "integer"}, {"value", shown(*version)}});
        if (*version > kSceneVersion)
            return refuse("version.newer",
                          {{"value", version->dump()}, {"known", std::to_string(kSceneVersion)}});
        if (*version < 1)
            return refuse("version.older",
                          {{"value", version->dump()}, {"known", std::to_string(kSceneVersion)}});
    }

    static const Scene defaults;
    Overlaid result{scene, {}};
    for (const auto& [key, value] : partial.items()) {
        if (key == "version" || key == "trained" || key == "compare") continue;
        if (key == "encoding" || key == "content") {
            Choice& target = key == "encoding" ? result.scene.encoding : result.scene.content;
            if (value.is_null()) {
                target = key == "encoding" ? defaults.encoding : defaults.content;
                continue;
            }
            auto choice = key == "encoding" ? choose_encoding(value) : choose_content(value);
            if (!choice) return tl::unexpected(choice.error());
            target = std::move(*choice);
            continue;
        }
        const auto parameters = scene_parameters();
        const auto parameter =
            std::find_if(parameters.begin(), parameters.end(),
                         [name = std::string_view(key)](const Parameter& p) { return p.key == name; });
        if (parameter == parameters.end()) {
            std::vector<std::string_view> known(std::begin(kStructured), std::end(kStructured));
            for (const Parameter& p : parameters) known.push_back(p.key);
            return refuse("key.unknown",
                          {{"path", key}, {"known", fmt::format("{}", fmt::join(known, ", "))}});
        }
        auto good = value.is_null() ? Result<Json>(parameter->fallback) : checked(*parameter, value, key);
        if (!good) return tl::unexpected(good.error());
        assign(result.scene, key, *good);
    }

    // Before the rules between values, since a scaling may take its M from the trained length only.
    if (const auto value = partial.find("trained"); value != partial.end()) {
        auto trained = value->is_null() ? Result<Trained>(Trained{}) : read_trained_length(*value);
        if (!trained) return tl::unexpected(trained.error());
        result.scene.trained.length = trained->length;
    }
    auto adjusted = relate(result.scene, named);
    if (!adjusted) return tl::unexpected(adjusted.error());
    result.adjusted = std::move(*adjusted);

    // Last, since they are applied to the result of the other keys.
    if (const auto value = partial.find("trained"); value != partial.end()) {
        auto trained = value->is_null() ? Result<Trained>(Trained{}) : read_trained(result.scene, *value);
        if (!trained) return tl::unexpected(trained.error());
        result.scene.trained = std::move(*trained);
    }
    if (const auto value = partial.find("compare"); value != partial.end()) {
        auto compare =
            value->is_null() ? Result<Json>(nullptr) : inner_partial(result.scene, *value, "compare");
        if (!compare) return tl::unexpected(compare.error());
        result.scene.compare = std::move(*compare);
    }
    return result;
}

}  // namespace

Result<Overlaid> overlay(const Scene& scene, const Json& partial) {
    Named named;
    if (partial.is_object())
        for (const auto& [key, value] : partial.items())
            if (!value.is_null()) named.insert(key);
    auto result = lay(scene, partial, named);
    if (result) keep_inner(result->scene, result->adjusted);
    return result;
}

std::optional<Scene> compared_scene(const Scene& scene) {
    return scene.compare.is_null() ? std::nullopt : std::optional(inner_scene(scene, scene.compare));
}

Scene trained_scene(const Scene& scene) { return inner_scene(scene, scene.trained.scene); }

SpectrumInput trained_input(const SpectrumInput& scene) {
    Scene whole;  // what the other parts hold bears on none of these values
    static_cast<SpectrumInput&>(whole) = scene;
    return trained_scene(whole);
}

Result<Json> partial_from_setting(const Scene& scene, std::string_view setting) {
    const auto equals = setting.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return refuse("setting.form", {{"value", std::string(setting)}});
    const std::string_view key = setting.substr(0, equals);
    const std::string_view value_text = setting.substr(equals + 1);
    if (!is_utf8(setting)) return refuse("text.utf8", {{"path", "--set"}});
    if (std::count(key.begin(), key.end(), '.') >= 64) return refuse("json.depth", {{"limit", "64"}});
    auto parsed = parse_json(value_text);
    if (!parsed && parsed.error().key != "json.syntax") return parsed;
    Json value = parsed ? std::move(*parsed) : Json(std::string(value_text));

    const auto dot = key.find('.');
    if (dot == std::string_view::npos) return Json{{std::string(key), std::move(value)}};
    const std::string top(key.substr(0, dot));
    Json whole = to_json(scene);
    const auto present = whole.find(top);
    Json partial = Json::object();
    partial[top] = present != whole.end() && present->is_object() ? *present : Json::object();
    Json* place = &partial[top];
    std::string_view rest = key.substr(dot + 1);
    // A new kind starts from its own defaults, not from the old kind's parameters.
    if ((top == "encoding" || top == "content") && rest == "kind") *place = Json::object();
    if (top == "content" && rest == "text") place->erase("order");  // it belonged to the previous words
    for (auto next = rest.find('.'); next != std::string_view::npos; next = rest.find('.')) {
        Json& inner = (*place)[std::string(rest.substr(0, next))];
        if (!inner.is_object()) inner = Json::object();
        place = &inner;
        rest = rest.substr(next + 1);
    }
    (*place)[std::string(rest)] = std::move(value);
    return partial;
}

std::vector<Problem> settle(Scene& scene) {
    auto adjusted = relate(scene, {});
    if (!adjusted) throw std::logic_error("an edit left the bounds: " + to_string(adjusted.error()));
    keep_inner(scene, *adjusted);
    return std::move(*adjusted);
}

std::int64_t head_dim(const SpectrumInput& scene) {
    return scene.head_dim.value_or(scene.d_model / scene.num_heads);
}

}  // namespace posiscope
