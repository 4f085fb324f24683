// handles.hpp — what can be dragged has a handle. In a picture nothing can: it shows the point that the handle is at, and no
// sliders or scroll bars.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures {

inline bool can_drag(const Frame& frame) { return frame.pointer != nullptr; }

// The handle of a point that is data itself.
inline void handle(const Frame& frame, Point at, float radius, ui::Colour colour) {
    if (can_drag(frame)) frame.canvas.knob(at, radius, colour, frame.theme.tile);
    else frame.canvas.disc(at, 0.6F * radius, colour);
}

// At the end of a line that shows the value without it.
inline void end_handle(const Frame& frame, Point at, float radius, ui::Colour colour) {
    if (can_drag(frame)) frame.canvas.knob(at, radius, colour, frame.theme.tile);
}

}  // namespace posiscope::figures
