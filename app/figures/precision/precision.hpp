// precision.hpp — the shared parts of the Precision figure; positions.cpp is for encodings without angles.
#pragma once

#include "app/plot/plot.hpp"
#include "core/precision/precision.hpp"

namespace posiscope::figures::precision {

inline constexpr double kOff = 0.01;                        // radians, and of a score
inline constexpr double kMostPosition = 9.331929865381182;  // log₁₀ of the last position

// The mode.
Precision format_of(const Frame& f);

// The position of the Scene as a level on an axis of log₁₀ positions, and its drag along it.
double level_of(std::int64_t position);
void drag_position(const plot::Plot& plot, bool across);

// Encodings whose pairs do not rotate: how far apart the numbers of each format are, where positions and distances are
// among them.
std::string_view positions_headline(Frame& f);
void draw_positions(Frame& f, Rect area);

}  // namespace posiscope::figures::precision
