#include "app/platform/shading.hpp"

namespace posiscope::platform {

std::string_view shading_language() { return "#version 300 es\n"; }

}  // namespace posiscope::platform
