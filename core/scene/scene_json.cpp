// scene_json.cpp — writes a Scene as JSON: whole, or only the differences from the defaults.
#include "core/scene/keys.hpp"

namespace posiscope {

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
