#include "core/scene/comparison.hpp"

#include <algorithm>
#include <array>

namespace posiscope {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"a", "b", "overlay", "difference"};

// The keys that define the encoding, as opposed to the place that is shown.
constexpr std::string_view kOfTheEncoding[] = {"encoding",  "base",     "layout",  "d_model",
                                               "num_heads", "head_dim", "content", "causal"};

}  // namespace

std::span<const std::string_view> sides_names() { return kNames; }

Sides sides(const Scene& scene) {
    if (scene.compare.is_null()) return Sides::a;
    const auto shown = scene.view.find("compare");
    if (shown == scene.view.end() || !shown->is_string()) return Sides::overlay;
    const auto found = std::find(kNames.begin(), kNames.end(), shown->get_ref<const std::string&>());
    return found == kNames.end() ? Sides::overlay : static_cast<Sides>(found - kNames.begin());
}

void show_sides(Scene& scene, Sides sides) {
    if (sides == Sides::overlay) scene.view.erase("compare");
    else scene.view["compare"] = std::string(kNames[static_cast<std::size_t>(sides)]);
}

void keep_as_b(Scene& scene) {
    const Json whole = to_json(scene);
    scene.compare = Json::object();
    for (const std::string_view key : kOfTheEncoding)
        scene.compare[std::string(key)] = whole.at(std::string(key));
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
    const Json values = to_json(next);
    const auto give = [&](const char* key, auto member) {
        if (next.*member == b.*member) return;
        if (result.compare.contains(key)) result.compare[key] = values.at(key);
        else result.*member = next.*member;
    };
    give("encoding", &Scene::encoding);
    give("base", &Scene::base);
    give("layout", &Scene::layout);
    give("d_model", &Scene::d_model);
    give("num_heads", &Scene::num_heads);
    give("head_dim", &Scene::head_dim);
    give("length", &Scene::length);
    give("position", &Scene::position);
    give("offset", &Scene::offset);
    give("pair", &Scene::pair);
    give("shift", &Scene::shift);
    give("causal", &Scene::causal);
    give("content", &Scene::content);
    result.trained = next.trained;
    result.bench = next.bench;
    result.view = next.view;
    return result;
}

}  // namespace posiscope
