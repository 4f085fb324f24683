#include "app/platform/host.hpp"

#include <cstdlib>
#include <sys/resource.h>
#include <system_error>
#include <thread>

namespace posiscope::platform {

// Linux counts the niceness of each thread; 0 names the calling one.
bool has_threads() { return true; }

void work_behind_the_window() { (void)::setpriority(PRIO_PROCESS, 0, 10); }

void spare_driver_threads() {
    try {
        std::thread([] {}).join();
    } catch (const std::system_error&) {
        (void)::setenv("LP_NUM_THREADS", "0", 0);
    }
}

}  // namespace posiscope::platform
