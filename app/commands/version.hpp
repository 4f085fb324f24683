// version.hpp — what --version says, and what a report of a fault should name.
#pragma once

#include <string>

namespace posiscope::commands {

// "posiscope 0.2.0 (1a2b3c4d)", then a line of the libraries as they run; without a commit where it is not known.
std::string version();

}  // namespace posiscope::commands
