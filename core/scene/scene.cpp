#include "core/scene/scene.hpp"

#include "core/encodings/encodings.hpp"
#include "core/json_members.hpp"
#include "core/scene/keys.hpp"
#include "core/scene/version.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace posiscope {
namespace {

using Kind = Parameter::Kind;
using Named = std::set<std::string, std::less<>>;

std::string text(std::int64_t value) { return std::to_string(value); }

enum class EncodingIs { checked, taken };
Result<Overlaid> lay(const Scene& scene, const Json& partial, const Named& named,
                     EncodingIs encoding = EncodingIs::checked);

// A partial Scene inside a Scene: it must be applicable to it. Its values count as dependent, so
// that they stay valid while the outer Scene changes.
Result<Json> inner_partial(const Scene& scene, const Json& partial, std::string_view path) {
    if (!partial.is_object())
        return refuse("value.kind",
                      {{"path", std::string(path)}, {"kind", "dictionary"}, {"value", shown(partial)}});
    for (const auto& [key, value] : partial.items()) {
        const SceneKey* known = find_scene_key(key);
        if (key == "version" || (known != nullptr && known->part == SceneKey::Part::outermost))
            return refuse("scene.nested", {{"path", join_path(path, key)}});
    }
    auto laid = lay(scene, partial, {});
    if (laid) return partial;
    Problem problem = laid.error();
    for (auto& [name, value] : problem.values)
        if (name == "path") value = join_path(path, value);
    return tl::unexpected(std::move(problem));
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
Result<std::vector<Problem>> relate(Scene& scene, const Named& named,
                                    EncodingIs encoding = EncodingIs::checked) {
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

    if (const auto& check = find_encoding(scene.encoding.kind)->check;
        check && encoding == EncodingIs::checked)
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

Scene inner_scene(const Scene& scene, const Json& partial, EncodingIs encoding = EncodingIs::checked) {
    auto laid = lay(scene, partial, {}, encoding);
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

namespace {

// a == b of lists that may hold 65 536 numbers, in half of the time that the library's own comparison takes: a frame compares
// Scenes many times.
bool same_json(const Json& a, const Json& b) {
    if (&a == &b) return true;
    if (a.type() != b.type() || !a.is_structured()) return a == b;
    if (a.size() != b.size()) return false;
    if (a.is_object()) {
        const auto& left = a.get_ref<const Json::object_t&>();
        return std::equal(
            left.begin(), left.end(), b.get_ref<const Json::object_t&>().begin(),
            [](const auto& x, const auto& y) { return x.first == y.first && same_json(x.second, y.second); });
    }
    const auto& left = a.get_ref<const Json::array_t&>();
    const auto& right = b.get_ref<const Json::array_t&>();
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto* const x = left[i].get_ptr<const double*>();
        const auto* const y = right[i].get_ptr<const double*>();
        if (x != nullptr && y != nullptr ? *x != *y : !same_json(left[i], right[i])) return false;
    }
    return true;
}

}  // namespace

// Here, not in the header: a comparison of JSON takes a tenth of a second to compile, wherever it is.
bool Choice::operator==(const Choice& other) const {
    return kind == other.kind && same_json(parameters, other.parameters);
}
bool Trained::operator==(const Trained&) const = default;
bool SpectrumInput::operator==(const SpectrumInput&) const = default;
bool ActionInput::operator==(const ActionInput&) const = default;
bool ScoreInput::operator==(const ScoreInput&) const = default;
bool AttentionInput::operator==(const AttentionInput&) const = default;
bool Scene::operator==(const Scene&) const = default;

// All of `trained` but its scene, which is checked after the other keys.
Result<Json> checked_trained_length(const Json& value) {
    static const Parameter length{
        .key = "length", .kind = Kind::integer, .minimum = 1, .maximum = static_cast<double>(kLastPosition)};
    Json trained{{"length", nullptr}, {"scene", Json::object()}};
    if (!value.is_object())
        return refuse("value.kind", {{"path", "trained"}, {"kind", "dictionary"}, {"value", shown(value)}});
    for (const auto& [key, inner] : value.items()) {
        if (!trained.contains(key))
            return refuse("key.unknown", {{"path", join_path("trained", key)}, {"known", "length, scene"}});
        if (inner.is_null() || key == "scene") continue;
        auto good = checked(length, inner, "trained.length");
        if (!good) return good;
        trained["length"] = std::move(*good);
    }
    return trained;
}

Result<Json> checked_trained(const Scene& scene, const Json& value) {
    auto trained = checked_trained_length(value);
    const auto inner = trained ? value.find("scene") : value.end();
    if (inner == value.end() || inner->is_null()) return trained;
    auto good = inner_partial(scene, *inner, "trained.scene");
    if (!good) return good;
    (*trained)["scene"] = std::move(*good);
    return trained;
}

Result<Json> checked_compare(const Scene& scene, const Json& value) {
    return inner_partial(scene, value, "compare");
}

namespace {

Result<Overlaid> lay(const Scene& scene, const Json& partial, const Named& named, EncodingIs encoding) {

    static const Scene defaults;
    Overlaid result{scene, {}};
    for (const auto& [key, value] : partial.items()) {
        const SceneKey* known = find_scene_key(key);
        if (known == nullptr) return refuse("key.unknown", {{"path", key}, {"known", known_keys()}});
        if (value.is_null()) {
            known->copy(result.scene, defaults);
            continue;
        }
        auto good = known->check != nullptr ? known->check(value) : checked(known->parameter, value, key);
        if (!good) return tl::unexpected(good.error());
        known->set(result.scene, *good);
    }
    auto adjusted = relate(result.scene, named, encoding);
    if (!adjusted) return tl::unexpected(adjusted.error());
    result.adjusted = std::move(*adjusted);

    for (const SceneKey& one : scene_keys()) {
        const auto value = partial.find(one.parameter.key);
        if (one.check_inside == nullptr || value == partial.end() || value->is_null()) continue;
        auto good = one.check_inside(result.scene, *value);
        if (!good) return tl::unexpected(good.error());
        one.set(result.scene, *good);
    }
    return result;
}

// Holds for a partial Scene with A, B and the trained one: q and k of the greatest width and little else, since every key
// press handles them all.
constexpr std::size_t kMostSceneValues = 140'000;

// Numbers, words and other values that are no list or object of them.
std::size_t values_in(const Json& json) {
    if (!json.is_structured()) return 1;
    std::size_t count = 0;
    for (const Json& inner : json) count += values_in(inner);
    return count;
}

}  // namespace

Result<Overlaid> overlay(const Scene& scene, const Json& partial) {
    const auto present = migrated(partial);
    if (!present) return tl::unexpected(present.error());
    Named named;
    for (const auto& [key, value] : present->items())
        if (!value.is_null()) named.insert(key);
    auto result = lay(scene, *present, named);
    // After what each list may hold.
    if (const std::size_t count = result ? values_in(partial) : 0; count > kMostSceneValues)
        return refuse("scene.large",
                      {{"values", std::to_string(count)}, {"most", std::to_string(kMostSceneValues)}});
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
    // At another length than the Scene's a typed formula may have no value, which its spectrum says.
    return inner_scene(whole, whole.trained.scene, EncodingIs::taken);
}

std::vector<Problem> settle(Scene& scene) {
    auto adjusted = relate(scene, {});
    if (!adjusted) throw std::logic_error("an edit left the bounds: " + to_string(adjusted.error()));
    keep_inner(scene, *adjusted);
    return std::move(*adjusted);
}

namespace {

// The width of heads where the object of the layer's kind has one, as Gemma 4's full attention does.
std::optional<std::int64_t> head_dim_of_kind(const Json& parameters) {
    static const Json null;
    const auto value = [](const Json& object, const char* key) -> const Json& {
        const auto found = object.is_object() ? object.find(key) : object.end();
        return object.is_object() && found != object.end() ? *found : null;
    };
    const Json& older = value(parameters, "rope_scaling");
    const Json& objects = older.is_null() ? value(parameters, "rope_parameters") : older;
    if (!objects.is_object() || objects.empty()) return std::nullopt;
    const Json &types = value(parameters, "layer_types"), &layer = value(parameters, "layer");
    const Json* type = &value(parameters, "layer_type");
    if (type->is_null() && types.is_array() && layer.is_number_integer() && layer >= 0 &&
        layer < types.size())
        type = &types[layer.get<std::size_t>()];
    const Json& named =
        type->is_string() ? value(objects, type->get_ref<const std::string&>().c_str()) : null;
    const Json& full = value(objects, "full_attention");
    const Json& kind = !named.is_null() ? named : !full.is_null() ? full : *objects.begin();
    return integer_at(kind.is_object() ? kind : objects, "head_dim");
}

}  // namespace

std::int64_t head_dim(const SpectrumInput& scene) {
    if (const auto own = head_dim_of_kind(scene.encoding.parameters)) return *own;
    return scene.head_dim.value_or(scene.d_model / scene.num_heads);
}

}  // namespace posiscope
