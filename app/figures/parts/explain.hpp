// explain.hpp — what a figure says where it cannot show something: no circles, or a B that has no place in it.
#pragma once

#include "app/figures/figure.hpp"
#include "core/encodings/axes.hpp"
#include "core/models/check.hpp"

#include <exception>
#include <new>

namespace posiscope::figures {

// The position that turns each pair, and the same in words; kept until the spectrum changes.
const PairAxes& axes_of(const Frame& frame);
std::string_view axes_words(const Frame& frame);

// Says why nothing turns by p alone in this encoding: pairs that have positions of their own, else `key` with the kind.
void explain_no_circles(Frame& frame, Rect area, std::string_view key);

// Says why B is not drawn although both sides should be seen, in a line at the top of the area.
void explain_missing_b(Frame& frame, Rect& area, std::string_view key);
// For figures about circles: B has none.
void explain_missing_circles(Frame& frame, Rect& area);

// A tick, an exclamation mark or a cross about a point, drawn: fonts need not have them.
void draw_mark(Frame& f, Point at, Severity severity);

// A figure that fails costs its own picture of one frame, and nothing else.
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
