// changes.hpp — what one edit changed of a Scene, laid over another: two edits of one frame do not undo each other.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

// `onto` with every top-level value that differs between `before` and `after` as it is in `after`. In `view` each key is a
// value of its own, since each belongs to a figure. Where `onto` equals `before`, the result equals `after`.
Scene with_changes(Scene onto, const Scene& before, const Scene& after);

}  // namespace posiscope
