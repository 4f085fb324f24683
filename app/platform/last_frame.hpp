// last_frame.hpp — what the frame before drew, to see whether this one would draw anything else.
// Each key press and mouse movement asks for a few frames, and most of them draw what is there already.
// The draw lists are compared byte by byte (0.2 ms instead of 15), so callbacks carry all their data. Redrawing single
// tiles would gain little: nearly every drag changes every tile.
#pragma once

#include <cstddef>
#include <vector>

struct ImDrawData;

namespace posiscope::platform {

class LastFrame {
public:
    // True if drawing this gives the picture that the last one gave; remembers this one. Callbacks count by their data,
    // which therefore must name all that they draw from. No memory is asked for once it is large enough.
    bool repeats(const ImDrawData& data);

private:
    std::vector<std::byte> before_, now_;
};

}  // namespace posiscope::platform

// ImGui places its letters and rules on whole points. Where a point is no whole number of pixels, they would
// begin between two: a stroke one pixel thick loses half of its ink there, and a rule may fall between two rows.
struct ImDrawData;

namespace posiscope::platform {

// Moves every upright letter and rule of a finished frame to the next whole pixel; a rule is at least one pixel thick.
void align_to_pixels(ImDrawData& data);

}  // namespace posiscope::platform
