// version.hpp — Scenes that an earlier version of the program wrote. CONTRIBUTING says when the version goes up.
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
