// pair_plot.hpp — what figures with pairs along x share: the pairs in view, decades up y, the pair that is chosen.
#pragma once

#include "app/figures/parts/training.hpp"

namespace posiscope::figures {

// Pair i stands at i and is one wide; what the person zoomed to, else all of them.
canvas::Axis pair_axis(const Scene& scene, std::string_view figure, std::size_t pairs);
std::size_t pair_at(const canvas::Axis& x, float point, std::size_t pairs);

// The bar of pair i from left to right; whole pixels if pairs are narrower than one.
Rect pair_column(const canvas::Axis& x, double pair, Rect plot, float pixel);

// The wheel zooms, empty space pans, a double click goes back to all pairs.
void zoom_and_pan_pairs(Frame& frame, Rect plot, const canvas::Axis& x, std::size_t pairs);

// "0.01", "1000", "10⁵"
std::string_view power_of_ten(ui::Scratch& scratch, int power);

// The pair under the mouse here, the one linked from elsewhere, or the Scene's, with a rule through the plot. A click
// keeps it. `exact` is false where the link comes from another spectrum.
LinkedPair choose_pair(Frame& frame, Rect plot, const canvas::Axis& x, const Spectrum& spectrum);

// Diagonal strokes, all over the picture in step; where a rectangle is too narrow for them, every other two pixels.
void hatch(canvas::Canvas& canvas, Rect rect, ui::Colour colour);

// A length that a level was dragged to: whole, within bounds, three digits above a thousand.
std::int64_t dragged_length(double log_length);

}  // namespace posiscope::figures
