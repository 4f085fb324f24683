// part.hpp — the part of a line that a rectangle shows: a zoom can move its ends a billion points away.
#pragma once

#include "app/canvas/canvas.hpp"

#include <algorithm>

namespace posiscope::canvas {

// Fractions of a line from a to b; nothing of it is there where from ≥ to.
struct Part {
    double from = 0.0, to = 1.0;
};

inline Part part_in(Rect rect, Point a, Point b) {
    Part part;
    const auto cut = [&](double at, double by, double low, double high) {
        if (by == 0.0) {
            if (at < low || at > high) part.to = -1.0;
            return;
        }
        const double first = (low - at) / by, second = (high - at) / by;
        part.from = std::max(part.from, std::min(first, second));
        part.to = std::min(part.to, std::max(first, second));
    };
    cut(static_cast<double>(a.x), static_cast<double>(b.x - a.x), static_cast<double>(rect.x0),
        static_cast<double>(rect.x1));
    cut(static_cast<double>(a.y), static_cast<double>(b.y - a.y), static_cast<double>(rect.y0),
        static_cast<double>(rect.y1));
    return part;
}

}  // namespace posiscope::canvas
