#include "core/scene/changes.hpp"

namespace posiscope {
namespace {

void change_view(Json& onto, const Json& before, const Json& after) {
    for (const auto& [key, value] : before.items())
        if (!after.contains(key)) onto.erase(key);
    for (const auto& [key, value] : after.items())
        if (const auto old = before.find(key); old == before.end() || *old != value) onto[key] = value;
}

}  // namespace

Scene with_changes(Scene onto, const Scene& before, const Scene& after) {
    const auto change = [&](auto... member) {
        (..., (before.*member == after.*member ? void() : void(onto.*member = after.*member)));
    };
    change(&Scene::encoding, &Scene::base, &Scene::layout, &Scene::d_model, &Scene::num_heads,
           &Scene::head_dim, &Scene::length, &Scene::position, &Scene::offset, &Scene::pair, &Scene::shift,
           &Scene::causal, &Scene::content, &Scene::trained, &Scene::compare, &Scene::bench);
    change_view(onto.view, before.view, after.view);
    return onto;
}

}  // namespace posiscope
