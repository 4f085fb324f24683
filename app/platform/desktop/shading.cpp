#include "app/platform/shading.hpp"

namespace posiscope::platform {

std::string_view shading_language() { return "#version 330 core\n"; }

}  // namespace posiscope::platform
