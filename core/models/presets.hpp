// presets.hpp — example scenes within and beyond the trained length.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

struct Preset {
    std::string_view id;
    std::string_view scene;  // partial, as JSON
    bool fitted = false;  // q and k are fitted to the score e^(−Δ/200) on the trained distances (fit.hpp)
};

std::span<const Preset> presets();
// The Scene with the preset applied and, if `fitted`, with content fitted to the trained spectrum and length.
Result<Overlaid> with_preset(const Scene& scene, const Preset& preset);

}  // namespace posiscope
