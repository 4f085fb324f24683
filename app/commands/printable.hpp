// printable.hpp — text from a file or a command line, fit for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace posiscope::commands {

// Control characters (C0, DEL, C1), the marks that change the direction of writing, and bytes that are not UTF-8 become
// escapes such as \x1b and \u202e, so that a name can neither steer a terminal nor make a line read as another.
std::string printable(std::string_view text);

}  // namespace posiscope::commands
