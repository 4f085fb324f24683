// keys.hpp — the one table of a Scene's keys. JSON, --set, bounds, defaults, the comparison of two Scenes and the merging of
// edits follow from it, so that a new key is a member of the Scene, a row here and two strings (parameter.KEY.name, .help).
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

struct SceneKey {
    // encoding   defines the encoding: B of a comparison copies it
    // place      what is shown of it, such as the position: A and B share it
    // outermost  absent from a Scene inside a Scene
    enum class Part { encoding, place, outermost };

    Parameter parameter;  // its fallback is the value of a default Scene
    Part part;
    Json (*get)(const Scene&);
    void (*set)(Scene&, const Json& checked);
    bool (*equal)(const Scene&, const Scene&);
    void (*copy)(Scene& onto, const Scene& from);
    // Replaces the parameter's own check; null: none.
    Result<Json> (*check)(const Json&) = nullptr;
    // The check of a value that holds a Scene, against the Scene that the other keys gave; null: none.
    Result<Json> (*check_inside)(const Scene&, const Json&) = nullptr;
};

std::span<const SceneKey> scene_keys();                // in the order in which people read them
const SceneKey* find_scene_key(std::string_view key);  // null when unknown
std::string known_keys();                              // "version, encoding, base, …", for a sentence

// The checks of `trained` and `compare` (scene.cpp), which hold a Scene.
Result<Json> checked_trained_length(const Json& value);
Result<Json> checked_trained(const Scene& scene, const Json& value);
Result<Json> checked_compare(const Scene& scene, const Json& value);

// Applies the changes of one edit to another Scene, so that two edits in one frame are both kept.
// Returns `onto` with every top-level value that differs between `before` and `after` taken from `after`. In `view`, each
// key counts as a value, since it belongs to one figure. If `onto` equals `before`, the result equals `after`.
Scene with_changes(Scene onto, const Scene& before, const Scene& after);

}  // namespace posiscope
