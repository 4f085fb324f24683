// driver.hpp — what an OpenGL driver is told before it is loaded.
#pragma once

namespace posiscope::platform {

// Mesa's software driver waits for ever for a thread that the system refuses it: where one is refused now, it makes none.
void spare_driver_threads();

}  // namespace posiscope::platform
