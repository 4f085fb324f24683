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
