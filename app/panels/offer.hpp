// offer.hpp — what the first start offers.
#pragma once

#include "app/ui/geometry.hpp"

namespace posiscope::panels {

struct Offer {
    static constexpr float kRoom = 108.0F;  // that the sidebar leaves it at its lower end

    Point corner;  // the lower left one of the sidebar
    int minutes = 0;

    // Returned.
    enum class Taken { nothing, no, lesson, look_around };
    Taken taken = Taken::nothing;
};

}  // namespace posiscope::panels
