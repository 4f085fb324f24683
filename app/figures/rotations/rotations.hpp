// rotations.hpp — the shared parts of the Rotations figure; places.cpp divides its room, dial.cpp has the large clock, arithmetic.cpp
// its numbers, wall.cpp the small clocks, strip.cpp the hands that hardly move, turning.cpp what does not rotate by p alone, definition.cpp the formula, plane.cpp and product.cpp
// the complex plane.
#pragma once

#include "app/figures/figure.hpp"

#include <numbers>

namespace posiscope::figures::rotations {

struct View {
    Frame& frame;
    const Encoding& encoding;
    const Spectrum& spectrum;
    std::int64_t pair;
    float zoom = 1.0F;    // of words and marks, which grow with the large clock
    bool single = false;  // the large clock has the figure to itself

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

// The large clock with the numbers around it has at least this share of the figure, or the whole of its shorter side.
inline constexpr float kClockShare = 0.45F;
struct Places {
    float clock = 0.0F;  // the side of the large clock's square
    float zoom = 1.0F;   // View::zoom
    Rect dial;           // the large clock in the middle, and room for what its hands say
    Rect words;          // its arithmetic
    Rect small;          // the small clocks
};
// `single`: no small clocks, and the equation beside the clock as large as it fits.
Places places(Rect area, bool single = false);

// The clock of the Scene's pair, with its hands as handles, in a square of that side.
void draw_dial(View& v, Rect area, float side);
// PE(p + k) = M_k PE(p) in numbers, the error, and where there is room both products of each component.
void draw_arithmetic(View& v, Rect area);
// The same in letters and in numbers, for a slide.
void draw_equation(View& v, Rect area);
// A clock for every pair; if there are more than fit, the wall scrolls. Above kMostClocks pairs those that do not finish a turn
// within the length are one strip of hands.
inline constexpr std::size_t kMostClocks = 64;
void draw_wall(View& v, Rect area);

// Pairs with a clock of their own, and those in the strip; both ascending.
struct Gathered {
    std::vector<std::int64_t> clocks, strip;
    bool all_turn = true;    // every clock finishes a turn within the length
    bool descending = true;  // the fastest pair is the first one
};
const Gathered& gathered(View& v);
// The hands of the strip; a click chooses a pair.
void draw_strip(View& v, Rect area, const Gathered& pairs);
// Links a pair that is under the mouse, and says what it is.
void tell_pair(View& v, std::int64_t pair);

// Pairs that do not rotate by p alone; false where there is nothing to draw.
bool has_turning(const SpectrumInput& scene);
bool draw_turning(Frame& f, Rect area);
std::string_view turning_headline(Frame& f);

// The headline until somebody drags a hand for the first time; empty where there are no clocks.
std::string_view invitation(Frame& f);

// The definition and its steps, from the top of the area; returns the height used. `circle`: its pairs are points of
// unit circles, so that the steps lead to p + k.
float draw_definition(Frame& f, Rect area, bool circle);
std::string_view definition_headline(Frame& f);

// The pair as a complex number.
void draw_plane(View& v, Rect area);
std::string_view plane_headline(View& v);

// Shared by both complex planes: plane.cpp has the table's, product.cpp RoPE's.

// "0.768 − 0.640 i", as a formula.
std::string_view complex_number(ui::Scratch& scratch, double re, double im);

struct Dial {
    Point centre;
    float radius = 0.0F;
    double sense = 1.0;  // +1: e^{iφ} counter-clockwise; −1: e^{−iφ}

    Point at(double turns) const { return on_circle(centre, radius, sense * turns); }
};
void draw_axes(Frame& f, const Dial& dial, std::string_view name);

void draw_product(View& v, Rect area);
std::string_view product_headline(View& v);

}  // namespace posiscope::figures::rotations
