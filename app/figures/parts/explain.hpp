// explain.hpp — what a figure says where it cannot show something: no circles, or a B that has no place in it.
#pragma once

#include "app/figures/figure.hpp"
#include "core/encodings/axes.hpp"

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

}  // namespace posiscope::figures
