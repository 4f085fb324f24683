// table_means.hpp — the table that an encoding adds to the input, as a picture of any size sees it: the mean of the cells
// under each pixel.
// Cost     each row of cells in view once, d_model numbers each; rows that several pixels share are made once.
// Error    ≤ 1e-15 of the largest value, before it is rounded to float.
#pragma once

#include "core/encodings/encodings.hpp"

#include <vector>

namespace posiscope {

// `pixels` pixels over cells from … to, counted from `origin`, where the cells begin at `origin` = 0.
struct PixelRange {
    std::int64_t origin = 0;
    double from = 0.0, to = 1.0;
    int pixels = 1;
};

struct TableMeans {
    std::vector<float> values;  // [rows.pixels, columns.pixels]; 0 where there is no row
    // Rows averaged in a pixel, at most: fewer than it covers where the view holds more numbers than can be asked for
    // while somebody waits; they then stand at equal distances.
    std::int64_t rows_a_pixel = 0;
    bool sampled = false;
};

// The encoding must add to the input (Action::add). More than `most_cells` numbers are sampled.
TableMeans table_means(const Action& action, std::int64_t d_model, const PixelRange& rows,
                       const PixelRange& columns, double most_cells);

}  // namespace posiscope
