#include "app/platform/threads.hpp"

namespace posiscope::platform {

bool has_threads() { return false; }

void work_behind_the_window() {}

}  // namespace posiscope::platform
