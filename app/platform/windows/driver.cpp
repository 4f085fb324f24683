#include "app/platform/driver.hpp"

namespace posiscope::platform {

void spare_driver_threads() {}  // the drivers here are their makers', and take no such word

}  // namespace posiscope::platform
