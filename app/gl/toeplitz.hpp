// toeplitz.hpp — a heatmap of values that depend on row − column alone, exact at every zoom.
// A pixel's mean is bilinear in where its edges cut the first row (f) and the first column (g) they touch:
// α + β f + γ g + δ f g.  The four depend only on the distance of those two cells and on how many rows and columns the
// pixel touches, of which a view has two counts each.  So a table of them, built here in double, is all a shader needs.
#pragma once

#include "app/gl/data_texture.hpp"
#include "app/gl/matrix_view.hpp"

#include <span>
#include <vector>

namespace posiscope::gl {

struct Toeplitz {
    // by_distance  values[d − first], for every distance d = row − column in view: the mean over each pixel is
    //              taken here.  At most kLargestToeplitz distances in view.
    // by_diagonal  beyond that: one value a pixel diagonal, values[(y − x) + width − 1] with y and x in px, so
    //              width + height − 1 of them, drawn as they are.  Whoever gives them averages: a pixel of s × s cells
    //              weighs distances by a triangle of half-width s.  Needs cells as wide as high.
    enum class Index { by_distance, by_diagonal };
    Index index = Index::by_distance;
    std::int64_t first = 0;
    std::span<const float> values;
};

inline constexpr std::int64_t kLargestToeplitz = 1 << 18;

// What shaders/toeplitz.frag reads: of each pixel row and column where in the table it points, its f or g, and
// whether a border runs there; and the table.
struct ToeplitzTable {
    std::vector<Texel> rows;
    std::vector<Texel> columns;
    std::vector<Texel> table;
    int columns_after = 0;  // added to row − column, so that no index is negative
};
// Throws std::invalid_argument when a view is too large to go by distance.
void fill_toeplitz(const MatrixView& view, const Toeplitz& toeplitz, ToeplitzTable& out);

}  // namespace posiscope::gl
