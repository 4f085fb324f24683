// parent.hpp — how a copy of this program learns who started it.
#pragma once

namespace posiscope::platform {

inline constexpr const char* kParentVariable = "POSISCOPE_PARENT";  // the number of the process

}  // namespace posiscope::platform
