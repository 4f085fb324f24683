// toeplitz.hpp — a heatmap of values that depend only on row − column, exact at every zoom.
// A pixel's mean is bilinear in where its edges cut the first row (f) and the first column (g) they touch:
// α + β f + γ g + δ f g.  The four depend only on the distance of those two cells and on how many rows and columns the
// pixel touches, of which a view has two counts each.  So a shader needs only a table of them, computed here in double.
#pragma once

#include "app/canvas/heatmap.hpp"
#include "app/gl/data_texture.hpp"

#include <span>
#include <vector>

namespace posiscope::canvas {

inline constexpr std::int64_t kLargestToeplitz = 1 << 18;  // distances in view, to go by distance

// The input of shaders/toeplitz.frag: the table, and for each pixel row and column its place in the table, its f or g, and
// whether a border runs there.
struct ToeplitzTable {
    std::vector<gl::Texel> rows;
    std::vector<gl::Texel> columns;
    std::vector<gl::Texel> table;
    int columns_after = 0;  // added to row − column, so that no index is negative
};
// Throws std::invalid_argument when a view is too large to go by distance.
void fill_toeplitz(const HeatmapView& view, const Toeplitz& toeplitz, ToeplitzTable& out);

}  // namespace posiscope::canvas
