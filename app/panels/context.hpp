// context.hpp — what a long context is about: which model, how far it was trained, what it is run with.
#pragma once

#include "app/panels/panel.hpp"

namespace posiscope::panels {

// The controls, from the top of `area`; returns their height.
float context(Panel& panel, Rect area);

}  // namespace posiscope::panels
