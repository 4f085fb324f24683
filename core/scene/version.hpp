// version.hpp — Scenes that an earlier version of the program wrote show the same picture as they did then.
// The version goes up when the same JSON would mean something else: a changed default (of the Scene, an encoding or a content),
// a renamed key, another meaning, narrower bounds. It stays for a new key whose default is the behaviour before it, for a new
// choice and for wider bounds: older programs refuse these by name.
// A new version is kSceneVersion + 1, a step in version.cpp that rewrites the old keys, its test in version_test.cpp, a Scene as
// the old version wrote it in tests/figures/old_scenes_test.cpp, and a line in CHANGELOG.md. Steps are never changed afterwards.
// Whole Scenes contain every parameter, but of `view` only what differs from a figure's default. Partial Scenes in assets have
// no version: they change in the same commit.
#pragma once

#include "core/json.hpp"
#include "core/scene/scene.hpp"

namespace posiscope {

// Rewrites the keys of a partial Scene of version n as those of n + 1: a renamed key, a new meaning, or the old default
// written out where the key is absent and `whole` says that absence meant the default. Called for the Scene and for the
// Scenes inside it, which are never whole.
using Migration = void (*)(Json& partial, bool whole);

// The step from version 1 to 2, from 2 to 3, …; one fewer than kSceneVersion.
std::span<const Migration> migrations();

// A partial Scene in the present version, without its key `version`. One that has no version is of the present one: people
// and command lines write such. Refused: version.newer, version.older (below 1), value.kind, scene.object.
Result<Json> migrated(const Json& partial, std::span<const Migration> steps = migrations());

}  // namespace posiscope
