// changes.hpp — applies the changes of one edit to another Scene, so that two edits in one frame are both kept.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

// Returns `onto` with every top-level value that differs between `before` and `after` taken from `after`. In `view`, each
// key counts as a value, since it belongs to one figure. If `onto` equals `before`, the result equals `after`.
Scene with_changes(Scene onto, const Scene& before, const Scene& after);

}  // namespace posiscope
