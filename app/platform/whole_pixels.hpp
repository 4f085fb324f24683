// whole_pixels.hpp — ImGui places its letters and rules on whole points. Where a point is no whole number of pixels, they would
// begin between two: a stroke one pixel thick loses half of its ink there, and a rule may fall between two rows.
#pragma once

struct ImDrawData;

namespace posiscope::platform {

// Moves every upright letter and rule of a finished frame to the next whole pixel; a rule is at least one pixel thick.
void align_to_pixels(ImDrawData& data);

}  // namespace posiscope::platform
