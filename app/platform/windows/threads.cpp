#include "app/platform/threads.hpp"

#include <windows.h>

namespace posiscope::platform {

bool has_threads() { return true; }

void work_behind_the_window() { ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

}  // namespace posiscope::platform
