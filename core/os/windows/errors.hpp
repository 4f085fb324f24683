// errors.hpp — Windows' error numbers as those of errno.
#pragma once

namespace posiscope::os {

int errno_of(unsigned long error);
// Sets errno by the last error.
void note_error();

}  // namespace posiscope::os
