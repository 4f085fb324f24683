// offer.hpp — what the first start offers.
#pragma once

#include "app/ui/geometry.hpp"

namespace posiscope::panels {

struct Offer {
    static constexpr float kRoom = 108.0F;  // the height of the room it gets

    Rect room;  // at the lower end of the sidebar; on a telephone of the window
    int minutes = 0;

    // Returned.
    enum class Taken { nothing, no, lesson, look_around };
    Taken taken = Taken::nothing;
};

}  // namespace posiscope::panels
