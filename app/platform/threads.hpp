// threads.hpp — the priority of a thread.
#pragma once

namespace posiscope::platform {

// From now on the calling thread works only where the window leaves time. Cannot be taken back.
void work_behind_the_window();

}  // namespace posiscope::platform
