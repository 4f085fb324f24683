// guarded.hpp — a figure that fails costs its own picture of one frame, and nothing else.
#pragma once

#include "app/figures/figure.hpp"

#include <exception>
#include <new>

namespace posiscope::figures {

// A sentence over what was drawn in `area` so far; the frame hands nothing back.
void say_failure(Frame& frame, Rect area, std::string_view sentence);

// Draws, and where that throws says so in the figure's place. The next frame tries again.
template <class Draw>
void guarded(Frame& frame, Rect area, Draw&& draw) {
    try {
        draw();
    } catch (const std::bad_alloc&) {
        say_failure(frame, area, frame.text("problem.figure.no_memory"));
    } catch (const std::exception& error) {
        say_failure(frame, area, frame.format("problem.figure.failed", fmt::arg("detail", error.what())));
    }
}

}  // namespace posiscope::figures
