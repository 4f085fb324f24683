// rail.hpp — the sidebar: the encoding and its settings, position, offset, d_model, length, base; below them the values of
// the selected pair.
#pragma once

#include "app/panels/context.hpp"
#include "core/phase/frequencies.hpp"

namespace posiscope::panels {

inline constexpr float kRailWidth = 280.0F;

// The derived values that the sidebar shows; computed when the Scene changes.
struct Facts {
    const Spectrum* spectrum;            // null for an encoding without one
    std::span<const std::string> notes;  // settings without effect, and the source of the settings
    const Method& method;
};
void rail(Panel& panel, Rect area, const Facts& facts);

}  // namespace posiscope::panels
