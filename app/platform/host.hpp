// host.hpp — what runs this program, where the window must know it: a desktop, or a browser that shows it as a page.
#pragma once

#include <string>
#include <string_view>

namespace posiscope::platform {

// A page has no threads, no other programs and no folders of a person; its browser has keys of its own.
bool in_browser();

// The address of the page, for links to a scene: in a browser its own; empty where none is known.
std::string page_address();

// A page has none: what others do beside the window it does between two frames.
bool has_threads();

// From now on the calling thread works only where the window leaves time. Cannot be taken back.
void work_behind_the_window();

// The first line of every shader, with its end: "#version 330 core\n".
std::string_view shading_language();

// Mesa's software driver waits for ever for a thread that the system refuses it: where one is refused now, it makes none.
void spare_driver_threads();

}  // namespace posiscope::platform
