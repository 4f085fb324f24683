// fields.hpp — heatmaps as functions: the cells that each pixel covers, and its value.
// Rows and columns are counted in cells: cell c covers [c, c + 1). Row 0 is on top. A pixel shows the mean over the
// area of the cells it covers; sines and cosines are never averaged with each other.
// If a pair makes half a turn to a whole turn from one pixel row to the next, exact means beat faintly (at most 0.64 of
// full colour). A wider filter would hide that, but a pixel would lose the value that its tooltip states.
#pragma once

#include "core/encodings/encodings.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace posiscope {

enum class Field {
    components,    // one value per position and dimension: sine and cosine of every pair
    phase,         // one angle per position and pair; a pair spans columns 2i and 2i + 1
    toeplitz,      // one value for each row − column
    shift_blocks,  // M_k, both rows and columns are dimensions
    samples,       // one value per pixel
};

// Cells origin + first … origin + last: the origin keeps the doubles small far from 0.
// 0 ≤ origin + first < origin + last ≤ 2^31.
struct Range {
    std::int64_t origin = 0;
    double first = 0.0;
    double last = 1.0;

    bool operator==(const Range&) const = default;
    double length() const { return last - first; }
};

struct FieldView {
    Field field = Field::components;
    Range rows;
    Range columns;
    PairLayout layout = PairLayout::interleaved;
    bool rotary = false;  // a pair's first component is its cosine, not its sine
    bool blocks = false;  // all first components left, all second ones right, of the pairs under the columns
                          // as if interleaved; must be set where columns_need_blocks
    int gap = 10;         // between the two, px
    bool difference =
        false;  // B − A: less what `subtracted` has in the same view; of components and shift_blocks
    std::int64_t offset = 0;  // k of M_k
    int width = 1;            // px
    int height = 1;

    bool operator==(const FieldView&) const = default;
};

// True if interleaved columns are under 2 px wide: a pixel would average sines with cosines, which makes a moiré.
bool columns_need_blocks(const FieldView& view);

// The two blocks: each `width` px wide, the second from `second` on.
struct Blocks {
    int width = 0;
    int second = 0;
};
Blocks block_layout(const FieldView& view);

// The pair and component at `x` px from the left edge, for `pairs` pairs; empty in the gap and outside the table.  For components, phase (component 0) and the columns of shift_blocks.
std::optional<PairComponent> component_at(const FieldView& view, std::int64_t pairs, double x);
// The inverse: where a pair's component begins, in px from the left edge, and its width; of two halves the part within its own.
struct Extent {
    double left = 0.0;
    double width = 0.0;
};
Extent extent_of(const FieldView& view, std::int64_t pairs, PairComponent at);

// The cells that a pixel covers: `count` from `first` on, the first and the last only partly.
// Weights are fractions of the pixel and sum to 1:  first_weight + (count − 2) · inner + last_weight  for count > 1.
struct Cover {
    std::int64_t first = 0;
    std::int64_t count = 1;
    double first_weight = 1.0;
    double last_weight = 0.0;
};
Cover cover_between(std::int64_t origin, double low, double high);  // relative to the origin

// The bounds of the pixels 0 … count − 1 of a range, `count + 1` of them. A bound within rounding of a whole number
// is that number.
class PixelBounds {
public:
    PixelBounds() = default;
    PixelBounds(Range range, int pixels);

    double span() const { return span_; }  // cells per pixel
    double bound(int i) const;
    Cover cover(int pixel) const { return cover_between(range_.origin, bound(pixel), bound(pixel + 1)); }
    // The whole cells in a pixel: first = ceil(low), count = floor(high) − first, which is −1 for a pixel inside one cell.
    struct Whole {
        std::int64_t first;
        std::int64_t count;
        double before;  // the covered part of the cell before them, in cells
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

// All pixels of a range; every cell between a pixel's first and last has the weight `inner`. Nothing past `cells`.
struct Covers {
    std::vector<Cover> pixels;
    double inner = 1.0;
};
void cover_range(const Range& range, std::int64_t cells, int pixels, Covers& covers);

// The columns of components are dimensions in their own order; those of blocks and phase are pairs, over the width of
// a block.  Throws std::invalid_argument for a view that must be blocks and is not.
void cover_columns(const FieldView& view, std::int64_t pairs, Covers& covers);
Range pair_range(const Range& columns);  // the pairs under them, each two columns wide whatever the order

// Values that depend only on row − column.
struct Toeplitz {
    // by_distance  values[d − first], for every distance d = row − column in view; a pixel shows their mean.
    // by_diagonal  one value per pixel diagonal, values[(y − x) + width − 1] with y and x in px, so width + height − 1
    //              of them, drawn unchanged. The caller averages: a pixel of s × s cells weights distances by a
    //              triangle of half-width s. Needs square cells.
    enum class Index { by_distance, by_diagonal };
    Index index = Index::by_distance;
    std::int64_t first = 0;
    std::span<const float> values;
};

// The numbers that a view is drawn from: each field reads its own.
struct FieldData {
    std::span<const Step> steps = {};       // of components, phase and shift_blocks
    std::span<const Step> subtracted = {};  // A's, of a difference
    Toeplitz toeplitz = {};
    std::span<const float> samples = {};  // width × height, top row first
};

// Computes a view one row of pixels at a time, in double: the values that the shaders draw.
class FieldSampler {
public:
    struct Sample {
        double value = 0.0;      // of phase the angle of the mean unit vector, in radians
        double magnitude = 1.0;  // of phase its length
    };

    // The data must outlive it.
    FieldSampler(const FieldView& view, const FieldData& data);

    // view.width samples; NaN between two blocks, and where there is no data.
    void row(int y, std::span<Sample> out);

private:
    struct Vector {
        double cosine = 0.0, sine = 0.0;
    };
    Vector mean(std::size_t pair, const PixelBounds::Whole& whole) const;
    void turning(int y, std::span<Sample> out);
    void toeplitz(int y, std::span<Sample> out) const;
    void shift(int y, std::span<Sample> out) const;
    double distance_sum(std::int64_t from, std::int64_t to) const;

    FieldView view_;
    FieldData data_;
    PixelBounds rows_;
    Covers columns_, row_covers_;
    std::vector<Vector> means_;           // of the pairs in view, for the row
    std::vector<Vector> turned_;          // by k, of M_k
    std::vector<double> sums_;            // running, of the values by distance
    std::unique_ptr<FieldSampler> of_a_;  // of a difference
    std::vector<Sample> row_of_a_;
};

}  // namespace posiscope
