#include "app/platform/driver.hpp"

#include <cstdlib>
#include <system_error>
#include <thread>

namespace posiscope::platform {

void spare_driver_threads() {
    try {
        std::thread([] {}).join();
    } catch (const std::system_error&) {
        (void)::setenv("LP_NUM_THREADS", "0", 0);
    }
}

}  // namespace posiscope::platform
