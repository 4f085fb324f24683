#include "core/scene/comparison.hpp"

#include "core/scene/keys.hpp"

#include <algorithm>
#include <array>

namespace posiscope {
namespace {

constexpr std::array<std::string_view, 4> kSides = {"a", "b", "overlay", "difference"};

}  // namespace

std::span<const std::string_view> sides_names() { return kSides; }

Sides sides(const Scene& scene) {
    if (scene.compare.is_null()) return Sides::a;
    const auto shown = scene.view.find("compare");
    if (shown == scene.view.end() || !shown->is_string()) return Sides::overlay;
    const auto found = std::find(kSides.begin(), kSides.end(), shown->get_ref<const std::string&>());
    return found == kSides.end() ? Sides::overlay : static_cast<Sides>(found - kSides.begin());
}

void show_sides(Scene& scene, Sides sides) {
    if (sides == Sides::overlay) scene.view.erase("compare");
    else scene.view["compare"] = std::string(kSides[static_cast<std::size_t>(sides)]);
}

void keep_as_b(Scene& scene) {
    Json b = Json::object();
    for (const SceneKey& one : scene_keys())
        if (one.part == SceneKey::Part::encoding) b[std::string(one.parameter.key)] = one.get(scene);
    scene.compare = std::move(b);
}

void swap_sides(Scene& scene) {
    auto b = compared_scene(scene);
    if (!b) return;
    const Json whole = to_json(scene);
    b->compare = Json::object();
    for (const auto& [key, value] : scene.compare.items()) b->compare[key] = whole.at(key);
    scene = std::move(*b);
}

void end_comparison(Scene& scene) {
    scene.compare = nullptr;
    scene.view.erase("compare");
}

const Scene* ComparedScene::of(const Scene& scene) {
    if (!(made_of_ == scene)) {
        b_ = compared_scene(scene);
        made_of_ = scene;
    }
    return b_ ? &*b_ : nullptr;
}

Scene edited_through_b(const Scene& a, const Scene& b, const Scene& next) {
    Scene result = a;
    for (const SceneKey& one : scene_keys()) {
        if (one.part == SceneKey::Part::outermost) {
            if (one.parameter.key != "compare") one.copy(result, next);
            continue;
        }
        if (one.equal(next, b)) continue;
        const std::string key(one.parameter.key);
        if (result.compare.contains(key)) result.compare[key] = one.get(next);
        else one.copy(result, next);
    }
    return result;
}

}  // namespace posiscope
