#include "core/scene/changes.hpp"

#include "core/scene/keys.hpp"

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
    for (const SceneKey& one : scene_keys())
        if (one.parameter.key != "view" && !one.equal(before, after)) one.copy(onto, after);
    change_view(onto.view, before.view, after.view);
    return onto;
}

}  // namespace posiscope
