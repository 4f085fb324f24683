// matrix_bins.hpp — a view cut into pixels, exactly: what each pixel row and each pixel column covers.
// All of it in int64 and double; what reaches the shaders is small integers and weights.
#pragma once

#include "app/gl/data_texture.hpp"
#include "app/gl/matrix_view.hpp"
#include "core/frequencies.hpp"

#include <span>
#include <vector>

namespace posiscope::gl {

// What a pixel covers of a row of cells: `count` cells from `first` on, the first and the last of them in part.
// Weights are parts of the pixel and sum to 1:  first_weight + (count − 2) · inner + last_weight  for count > 1.
struct Cover {
    std::int64_t first = 0;
    std::int64_t count = 1;
    double first_weight = 1.0;
    double last_weight = 0.0;
};
Cover cover_between(std::int64_t origin, double low, double high);  // places relative to the origin

// The pixels 0 … count − 1 of a range, whose bounds are `count + 1` places; bounds within rounding of a whole
// number are that number.
class PixelBounds {
public:
    PixelBounds() = default;
    PixelBounds(Range range, int pixels);

    double span() const { return span_; }  // cells a pixel
    double bound(int i) const;
    Cover cover(int pixel) const { return cover_between(range_.origin, bound(pixel), bound(pixel + 1)); }
    // The whole cells of a pixel, which may be −1 where it lies inside one: first ceil(low), N = floor(high) − that.
    struct Whole {
        std::int64_t first;
        std::int64_t count;
        double before;  // the part of the cell before them, in cells
        double after;
    };
    Whole whole(int pixel) const;
    bool starts_cell(int pixel) const;  // a border between two cells of the range lies in the pixel

private:
    Range range_;
    int pixels_ = 1;
    double span_ = 1.0;
    double snap_ = 0.0;
};

// The rows of components and phase: one texel a pixel row for means.frag, and the row counts N that occur.
struct RowBins {
    std::vector<Texel> rows;
    std::vector<std::int64_t> counts;
    double span = 1.0;
};
void fill_row_bins(const MatrixView& view, std::size_t pairs, RowBins& bins);

// P, Q and half steps for each N of `rows`: (pairs · counts) texels.
void fill_steps(std::span<const Step> spectrum, const RowBins& rows, std::vector<Texel>& steps);

// What the pixels of a range cover, as shaders/covers.glsl reads it; all cells between a pixel's first and last
// weigh `inner`.  Nothing beyond `cells` is covered.
struct Covers {
    std::vector<Texel> texels;
    double inner = 1.0;
};
void fill_covers(const MatrixView& view, const Range& range, std::int64_t cells, int pixels, Covers& covers);

// The columns of components in their own order, which are dimensions, and of blocks and phase, which are pairs and
// as many px as a block is wide.  Throws std::invalid_argument for a view that must be blocks and is not.
void fill_columns(const MatrixView& view, std::int64_t pairs, Covers& covers);

// Where borders run, for samples: the last of a texel's four numbers.
void fill_borders(const MatrixView& view, const Range& range, int pixels, std::vector<Texel>& texels);

// How strongly borders between cells show, 0 … 1, in a view whose cells are so large (px).
double border_strength(const MatrixView& view);

}  // namespace posiscope::gl
