// scores.hpp — the shared parts of the Scores figure; rows.cpp has the rows below the plot.
#pragma once

#include "app/figures/parts/range.hpp"
#include "app/figures/scores/curves.hpp"

namespace posiscope::figures::scores {

struct View {
    Frame& frame;
    Mode mode;
    const Curves& curves;       // what is drawn: A's, or B − A
    const Curves* b = nullptr;  // drawn over A
    bool difference = false;
    const Spectrum* spectrum = nullptr;  // with `form`: scores that core has in closed form, pair by pair
    const ScoreForm* form = nullptr;
    canvas::Axis x, y;
    Rect plot{};

    bool logarithmic() const { return mode == Mode::envelope; }
    // Distances to the axis and back.
    double along(double distance) const {
        return logarithmic() ? std::log10(std::max(1.0, std::abs(distance))) : distance;
    }
    std::int64_t distance_at(float point) const {
        const double at = x.inverse(point);
        return std::llround(logarithmic() ? std::pow(10.0, std::clamp(at, 0.0, 9.33)) : at);
    }
    bool shows(double distance) const {
        return !(logarithmic() && distance == 0.0) && along(distance) >= x.from && along(distance) <= x.to;
    }
    // Of A, or of B − A.
    double score(std::int64_t distance) const;
};

void frame_logarithmic(View& v, std::string_view x_name, std::string_view y_name);
// `lit_run` is the run of pairs that stands out, in shares mode.
void draw_lines(View& v, std::size_t lit_run);
// The names of many curves at their right ends, kept apart.
void name_curves(View& v, float x);
// The distances that occur now and occurred in training: the lengths, or the window of the layer.
struct Lengths {
    std::int64_t now, trained;  // trained: 0 where it is not known
    bool window;
};
Lengths lengths_of(Frame& frame);
void draw_lengths(View& v);
// Their words, over the curves; the room they take.
Rect name_lengths(View& v);
// What was left out or taken as given, at the plot's upper right.
void note(View& v);
void marker(View& v, std::int64_t distance, ui::Colour colour, bool ghost, Rect taken = {});

// The contribution of the linked pair to the score, on its own scale below the curve.
void draw_share(View& v, Rect strip, std::size_t pair, bool exact);
// The slider that shifts both positions.
void draw_shift(View& v, Rect row);

}  // namespace posiscope::figures::scores
