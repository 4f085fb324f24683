// clock.hpp — a clock as a value: a ring, the hands of p and of p + k, and the sector between them.
// Angles are in turns, counter-clockwise from the right with y up; sizes and places are in points, y down.
#pragma once

#include <cstdint>

namespace posiscope::canvas {

struct Clock {
    float x = 0.0F;
    float y = 0.0F;
    float radius = 10.0F;
    float angle_p = 0.0F;   // angle of the hand of p
    float turned_k = 0.0F;  // from there to the hand of p + k; a whole turn and more shows as a full disc
    std::uint32_t ring_colour = 0;  // 0xAABBGGRR
    float emphasis = 0.0F;          // 0 plain, 1 hovered, 2 selected; between them it fades

    bool operator==(const Clock&) const = default;
};

struct ClockStyle {
    std::uint32_t ink = 0xffe8e6e3;     // hand p
    std::uint32_t offset = 0xffa779cc;  // hand p + k, and faded the sector
    std::uint32_t mark = 0xffe8e6e3;    // around a hovered or selected clock
    float sector = 0.30F;               // its opacity
    bool show_offset = true;            // the hand of p + k and the sector

    bool operator==(const ClockStyle&) const = default;
};

}  // namespace posiscope::canvas
