// host.hpp — what runs this program, where the window must know it: a desktop, or a browser that shows it as a page.
#pragma once

#include <string>

namespace posiscope::platform {

// A page has no threads, no other programs and no folders of a person; its browser has keys of its own.
bool in_browser();

// The address of the page, for links to a scene: in a browser its own; empty where none is known.
std::string page_address();

}  // namespace posiscope::platform
