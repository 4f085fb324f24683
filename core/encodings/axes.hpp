// axes.hpp — encodings with several axes: the axis whose position rotates each pair.
#pragma once

#include "core/encodings/rotation.hpp"

namespace posiscope {

// M-RoPE: t, h, w.  XD-RoPE: p, w, h, t.  rope_2d: x, y.  Empty if all pairs rotate with the position itself.
struct PairAxes {
    std::vector<int> axis;  // by pair, an index into `names`
    std::vector<std::string_view> names;
    bool parted = false;             // the axes have separate positions: a grid is set
    std::vector<std::int64_t> grid;  // of M-RoPE
    std::size_t sections = 0;        // their number
    std::int64_t width = 0;          // of rope_2d
    bool rows_first = false;

    bool empty() const { return axis.empty(); }
    // The positions of a token along the axes.
    AxisPositions at(std::int64_t token) const {
        return grid.empty() ? plane_positions(width, rows_first, token)
                            : grid_positions(grid, sections, token);
    }
    std::string_view of(std::size_t pair) const { return names[static_cast<std::size_t>(axis[pair])]; }
};
PairAxes pair_axes(const SpectrumInput& scene);

// "t 0–15, h 16–39, w 40–63"; for axes that alternate, the number of pairs of each: "t 24, h 20, w 20".
std::string to_text(const PairAxes& axes);

}  // namespace posiscope
