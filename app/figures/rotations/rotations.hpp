// rotations.hpp — the shared parts of the Rotations figure; wall.cpp has the wall of clocks.
#pragma once

#include "app/figures/figure.hpp"

#include <numbers>

namespace posiscope::figures::rotations {

struct View {
    Frame& frame;
    const Encoding& encoding;
    const Spectrum& spectrum;
    std::int64_t pair;

    bool rotary() const { return encoding.acts == Acts::query_key; }
    const Scene& scene() const { return frame.scene; }
    Step step() const { return spectrum.step[static_cast<std::size_t>(pair)]; }
    double omega() const { return spectrum.frequency[static_cast<std::size_t>(pair)]; }
    // From the angle φ to the dial's own turns: counter-clockwise from the right.
    double dial(double turns) const { return rotary() ? turns : 0.25 - turns; }
    double dial_turned(double turns) const { return rotary() ? turns : -turns; }
    // kω in turns, whole turns included.
    double turned() const { return static_cast<double>(scene().offset) * omega() / (2.0 * std::numbers::pi); }
};

// A clock for every pair; if there are more than fit, the wall scrolls.
void draw_wall(View& v, Rect area);

}  // namespace posiscope::figures::rotations
