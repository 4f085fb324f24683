// shading.hpp — the shading language that this system's OpenGL speaks.
#pragma once

#include <string_view>

namespace posiscope::platform {

// The first line of every shader, with its end: "#version 330 core\n".
std::string_view shading_language();

}  // namespace posiscope::platform
