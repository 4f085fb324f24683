// threads.hpp — whether there are threads, and the priority of one.
#pragma once

namespace posiscope::platform {

// A page has none: what others do beside the window it does between two frames.
bool has_threads();

// From now on the calling thread works only where the window leaves time. Cannot be taken back.
void work_behind_the_window();

}  // namespace posiscope::platform
