#include "app/platform/threads.hpp"

#include <sys/resource.h>

namespace posiscope::platform {

// Linux counts the niceness of each thread; 0 names the calling one.
bool has_threads() { return true; }

void work_behind_the_window() { (void)::setpriority(PRIO_PROCESS, 0, 10); }

}  // namespace posiscope::platform
