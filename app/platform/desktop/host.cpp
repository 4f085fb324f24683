#include "app/platform/host.hpp"

namespace posiscope::platform {

bool in_browser() { return false; }

std::string page_address() { return {}; }

std::string_view shading_language() { return "#version 330 core\n"; }

}  // namespace posiscope::platform
