// unused.hpp — parameters that an encoding declares but does not read with its other settings as they are. They have no
// control; one that is set anyway gets a note.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

bool unused(const SpectrumInput& scene, const Parameter& parameter);  // of the Scene's encoding

// setting.unused for each that is set anyway.
std::vector<Problem> unused_settings(const SpectrumInput& scene);

}  // namespace posiscope
