// range.hpp — the part of an axis that a figure shows: all of it, or what a person zoomed and panned to.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures {

struct AxisRange {
    double from = 0.0, to = 1.0;
};

struct Ranged {
    std::string_view figure;
    AxisRange (*whole)(const Scene&);  // shown until somebody zooms; null: from `least` to `most`
    double least, most;                // the axis ends there
    double narrowest;
};

// A range that the Scene's view keeps for a figure, "range": [from, to], if it has two numbers.
std::optional<AxisRange> kept_range(const Scene& scene, std::string_view figure,
                                    std::string_view key = "range");
// The same if it is one of that axis; else the whole.
AxisRange range_of(const Ranged& ranged, const Scene& scene);

// The wheel zooms at the cursor, empty space pans, a double click shows the whole. Called after a figure's own handles,
// which take a press before the empty space does.
void zoom_and_pan(Frame& frame, const Ranged& ranged, Rect plot, const canvas::Axis& x);

// "p = 10" and "p + k = 13" over their places on a line, never on top of each other, between x0 and x1.
void name_positions(Frame& frame, float at_p, float at_q, float x0, float x1, float baseline);

}  // namespace posiscope::figures
