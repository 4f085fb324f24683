// presets.hpp — scenes of lengths that were trained and lengths that were not, to begin from.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

struct Preset {
    std::string_view id;     // also "preset.ID.name" and ".help" in the string tables
    std::string_view scene;  // partial, as JSON
    bool fitted = false;  // q and k make the score e^(−Δ/200) on the distances of the training (fit.hpp)
};

std::span<const Preset> presets();
Result<Overlaid> with_preset(const Scene& scene, const Preset& preset);

}  // namespace posiscope
