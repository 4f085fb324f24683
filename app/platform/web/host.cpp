#include "app/platform/host.hpp"

#include "app/platform/web/page.hpp"

namespace posiscope::platform {

bool in_browser() { return true; }

std::string page_address() { return page::take(page_address_text()); }

}  // namespace posiscope::platform
