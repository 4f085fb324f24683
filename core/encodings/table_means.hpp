// table_means.hpp — the table that an encoding adds to the input, at the resolution of an image: per pixel the mean of
// the cells under it.
// Cost     each row of cells in view once, d_model numbers each; a row that several pixels share is computed once.
// Error    ≤ 1e-15 of the largest value, before it is rounded to float.
#pragma once

#include "core/encodings/encodings.hpp"

#include <vector>

namespace posiscope {

// `pixels` pixels over the cells origin + from … origin + to.
struct PixelRange {
    std::int64_t origin = 0;
    double from = 0.0, to = 1.0;
    int pixels = 1;
    bool operator==(const PixelRange&) const = default;
};

struct TableMeans {
    std::vector<float> values;  // [rows.pixels, columns.pixels]; 0 outside the table
    // The most rows averaged in a pixel: fewer than it covers, at equal distances, if the view has more than
    // `most_cells` numbers.
    std::int64_t rows_a_pixel = 0;
    bool sampled = false;
};

// The encoding must add to the input (Action::add). More than `most_cells` numbers are sampled.
TableMeans table_means(const Action& action, std::int64_t d_model, const PixelRange& rows,
                       const PixelRange& columns, double most_cells);

}  // namespace posiscope
