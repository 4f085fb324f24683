#include "app/platform/host.hpp"

namespace posiscope::platform {

bool in_browser() { return false; }

std::string page_address() { return {}; }

}  // namespace posiscope::platform
