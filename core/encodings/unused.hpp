// unused.hpp — parameters that an encoding declares and, beside the others as they are, does not read: they have no
// control, and one that is set is remarked on.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

bool unused(const Scene& scene, const Parameter& parameter);  // of the Scene's encoding

// setting.unused for each that is set all the same.
std::vector<Problem> unused_settings(const Scene& scene);

}  // namespace posiscope
