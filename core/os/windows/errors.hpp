// errors.hpp — Windows' error numbers as those of errno.
#pragma once

namespace posiscope::os {

int errno_of(unsigned long error);
// Sets errno by the last error.
void note_error();

// An interruption that came otherwise than from the console.
// Ends this process as Ctrl C does, after what when_interrupted() was given.
[[noreturn]] void end_as_interrupted();

}  // namespace posiscope::os
