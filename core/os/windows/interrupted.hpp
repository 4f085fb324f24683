// interrupted.hpp — an interruption that came otherwise than from the console.
#pragma once

namespace posiscope::os {

// Ends this process as Ctrl C does, after what when_interrupted() was given.
[[noreturn]] void end_as_interrupted();

}  // namespace posiscope::os
