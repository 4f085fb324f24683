// rail.hpp — the controls at the left: the encoding and its own settings, position, offset, d_model, length,
// base; below them the chosen pair in numbers.
#pragma once

#include "app/panels/panel.hpp"
#include "core/frequencies.hpp"

namespace posiscope::panels {

inline constexpr float kRailWidth = 280.0F;

// `spectrum` is null for an encoding that has none; `notes` say what of its settings changes nothing, and where they are from.
void rail(Panel& panel, Rect area, const Spectrum* spectrum, std::span<const std::string> notes);

}  // namespace posiscope::panels
