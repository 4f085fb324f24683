// matrix_view.hpp — what a heatmap shows, as a value.
// Rows and columns are counted in cells: cell c covers [c, c + 1). Row 0 is on top.
#pragma once

#include "core/encodings/encodings.hpp"

#include <cstdint>
#include <optional>

namespace posiscope::gl {

enum class Field {
    components,    // one value a position and dimension: sine and cosine of every pair
    phase,         // one angle a position and pair; the pair stands over columns 2i and 2i + 1
    toeplitz,      // one value for each row − column, given by set_toeplitz
    shift_blocks,  // M_k, both rows and columns are dimensions
    samples,       // one value a pixel, given by set_samples
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

struct MatrixView {
    Field field = Field::components;
    int spectrum = 0;  // which of those given by set_spectrum: A and B of a comparison
    Range rows;
    Range columns;
    PairOrder order = PairOrder::interleaved;
    bool rotary = false;  // a pair's first component is its cosine, not its sine
    bool blocks = false;  // all first components left, all second ones right, of the pairs under the columns
                          // as if interleaved; must be set where columns_need_blocks
    int gap = 10;         // between the two, px
    std::int64_t offset = 0;  // k of M_k
    int width = 1;            // px, 1 … MatrixLayer::largest_size()
    int height = 1;

    double range = 1.0;                   // |value| at full colour
    std::uint32_t negative = 0xffe9b456;  // 0xAABBGGRR
    std::uint32_t zero = 0xff201c1a;
    std::uint32_t positive = 0xff009fe6;
    bool borders = true;  // between cells of 12 px and more, in full from 24 px on
    std::uint32_t border = 0x60808080;

    bool operator==(const MatrixView&) const = default;
};

// Interleaved columns under 2 px: a pixel would average sines with cosines, whose beat is a moiré of its own.
bool columns_need_blocks(const MatrixView& view);

// Where the two blocks lie: each `width` px, the second one from `second` on.
struct Blocks {
    int width = 0;
    int second = 0;
};
Blocks block_layout(const MatrixView& view);

// What lies under a horizontal place in px from the left edge, for `pairs` pairs: a pair and its component,
// nothing in the gap and outside the table.  For components, phase (component 0) and the columns of shift_blocks.
std::optional<PairComponent> component_at(const MatrixView& view, std::int64_t pairs, double x);
// The other way: the px from the left edge where a pair's component begins, and how wide it is there.
struct Extent {
    double left = 0.0;
    double width = 0.0;
};
Extent extent_of(const MatrixView& view, std::int64_t pairs, PairComponent at);

// The colour of an angle (in turns) in the phase field, where the mean unit vector is `magnitude` long: for
// the colour bar.  As the shader computes it, to 1/255.
std::uint32_t phase_colour(double turns, double magnitude, std::uint32_t zero);

}  // namespace posiscope::gl
