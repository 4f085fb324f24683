// rail.hpp — the controls at the left: the encoding and its own settings, position, offset, d_model, length,
// base; below them the chosen pair in numbers.
#pragma once

#include "app/panels/context.hpp"
#include "core/phase/frequencies.hpp"

namespace posiscope::panels {

inline constexpr float kRailWidth = 280.0F;

// What the rail shows of a Scene that is not read off it; computed when the Scene changes.
struct Facts {
    const Spectrum* spectrum;            // null for an encoding that has none
    std::span<const std::string> notes;  // what of its settings changes nothing, and where they are from
    const Method& method;
};
void rail(Panel& panel, Rect area, const Facts& facts);

}  // namespace posiscope::panels
