// legend.hpp — the names of curves, bars and points, each behind a sample of its mark.
#pragma once

#include "app/plot/plot.hpp"

namespace posiscope::plot {

// Words; between dollar signs they are set as mathematics.
float words_width(const Frame& frame, std::string_view words);
void draw_words(Frame& frame, Point at, std::string_view words, canvas::Align align);

float legend_width(const Frame& frame, std::span<const Key> keys);

// In one row, at its left or right; those that do not fit are left out, the last ones first. Returns where the rest of the
// row begins, or ends.
float draw_legend(Frame& frame, Rect row, std::span<const Key> keys, canvas::Align side);

// In as many rows as they need, while the area keeps room for a few; the rows are cut from its top.
void draw_legend_rows(Frame& frame, Rect& area, std::span<const Key> keys);

}  // namespace posiscope::plot
