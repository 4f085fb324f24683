#include "app/platform/host.hpp"

#include <windows.h>

namespace posiscope::platform {

bool has_threads() { return true; }

void work_behind_the_window() { ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

void spare_driver_threads() {}  // the drivers here are their makers', and take no such word

}  // namespace posiscope::platform
