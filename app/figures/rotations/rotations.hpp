// rotations.hpp — the shared parts of the Rotations figure; dial.cpp has the large clock, wall.cpp the wall of them, definition.cpp the formula,
// plane.cpp and product.cpp the complex plane.
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
    Turn hand(std::int64_t position) const { return frame.moving(phase(step(), position), omega()); }
    // From the angle φ to the dial's own turns: counter-clockwise from the right.
    double dial(double turns) const { return rotary() ? turns : 0.25 - turns; }
    double dial_turned(double turns) const { return rotary() ? turns : -turns; }
    // kω in turns, whole turns included.
    double turned() const { return static_cast<double>(scene().offset) * omega() / (2.0 * std::numbers::pi); }
};

// The same pair of B, if it has one whose points lie on a circle.
std::optional<View> view_of_b(const View& v);

// A hand of a dial, as it is dragged: its position moves by one for each ω of rotation.
struct Turned {
    Point centre;
    double omega;
    double sense;  // +1: counter-clockwise with growing positions
};
void drag_hand(Frame& f, const Turned& hand, std::string_view handle, Point tip);

// The clock of the Scene's pair, with its hands as handles.
void draw_dial(View& v, Rect area);
// A clock for every pair; if there are more than fit, the wall scrolls.
void draw_wall(View& v, Rect area);

// The definition and its steps, from the top of the area; returns the height used. `circle`: its pairs are points of
// unit circles, so that the steps lead to p + k.
float draw_definition(Frame& f, Rect area, bool circle);
std::string_view definition_headline(Frame& f);

// The pair as a complex number.
void draw_plane(View& v, Rect area);
std::string_view plane_headline(View& v);

}  // namespace posiscope::figures::rotations
