// axes.hpp — encodings of more than one axis: which position turns which pair.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

// M-RoPE: t, h, w.  rope_2d: x, y.  Pairs that all turn by the position itself have no axes.
struct PairAxes {
    std::vector<int> axis;  // by pair, an index into `names`
    std::vector<std::string_view> names;
    bool parted = false;  // the axes have positions of their own: a grid is set

    bool empty() const { return axis.empty(); }
    std::string_view of(std::size_t pair) const { return names[static_cast<std::size_t>(axis[pair])]; }
};
PairAxes pair_axes(const Scene& scene);

// "t 0–15, h 16–39, w 40–63"; of axes that take turns how many pairs each has: "t 24, h 20, w 20".
std::string to_text(const PairAxes& axes);

}  // namespace posiscope
