// scores.hpp — the shared parts of the Scores figure: headlines.cpp says, plot.cpp draws the curves, rows.cpp the rows below.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/extra_scenes.hpp"
#include "app/figures/parts/range.hpp"
#include "app/figures/scores/curves.hpp"
#include "app/plot/plot.hpp"

namespace posiscope::figures::scores {

// All encodings: four are shown at first, the Scene's own among them; view.scores.encodings lists what people chose, and
// view.scores.lone the one that stands out.
std::uint32_t shown_of_all(const Scene& scene, const Curves& curves);  // a bit for each curve
std::optional<std::size_t> lone_of_all(const Scene& scene, const Curves& curves);
void toggle_of_all(Frame& f, const Curves& curves, std::size_t curve);
struct EncodingMark {
    ui::Colour colour;
    float dash;
};
EncodingMark mark_of(const ui::Theme& theme, std::string_view kind);

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
    std::uint32_t shown = ~0U;             // of all encodings, by curve
    std::optional<std::size_t> lone = {};  // and the one that stands out

    bool draws(std::size_t curve) const { return (shown >> curve & 1U) != 0 || lone == curve; }

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
    // The score of A, or of B − A.
    double score(std::int64_t distance) const;
};

// The range in view: about half the length to either side until somebody zooms, or past the trained length.
Ranged ranged(Mode mode);
// The range of x: what is in view of either side of a comparison.
AxisRange shown_range(const Frame& f, Mode mode);
// The curves of that side in the range; null where it lacks this mode.
Kept<Curves> curves_of_side(const Frame& f, const Other* side, Mode mode, const AxisRange& range);

// The curves of a Scene beside it, likewise.
Kept<Curves> extra_curves(const View& v, ExtraScene& one);

std::string_view scores_headline(Frame& f);

// A curve on axes of points; `steps`: each value holds from half before to half after its distance.
std::span<const Point> points_on(Frame& f, const Curves& curves, const Curve& curve, const canvas::Axis& x,
                                 const canvas::Axis& y, bool steps);
// `lit_run` is the run of pairs that stands out, in shares mode.
void draw_lines(View& v, std::size_t lit_run);
// The names of runs of pairs at their curves' right ends, kept apart.
void name_curves(View& v, float x);
// Every encoding's name beside its colour, also of those that are hidden.
void draw_legend(View& v, Rect area);
// The button over the plot, up to `right`, that shows every encoding, or the first four again; none in an image. Returns
// where the room left of it ends.
float choose_all(View& v, float left, float right);
// The curve under the mouse, in the plot or by its name.
std::optional<std::size_t> pointed_of_all(const View& v, Rect legend);
// The distances that occur now and occurred in training: the lengths, or the window of the layer.
struct Lengths {
    std::int64_t now, trained;  // trained: 0 where it is not known
    bool window;
};
Lengths lengths_of(Frame& frame);
void draw_lengths(View& v);
// Their words, over the curves; the room they take.
Rect name_lengths(View& v);
// Notes, at the plot's upper right between `x` and `right`, the samples and assumptions behind the curves.
void note(View& v, float x, float right);
void marker(View& v, std::int64_t distance, ui::Colour colour, bool ghost, Rect taken = {});

// The contribution of the linked pair to the score, on its own scale below the curve.
void draw_share(View& v, Rect strip, std::size_t pair, bool exact);
// The slider that shifts both positions.
void draw_shift(View& v, Rect row);

// The biases of all heads as curves over the distance.
// The values that curves of biases are made from.
struct BiasSource {
    Result<Action> action = Action{};
    std::int64_t query = 0;  // where they are not a function of the distance

    // NaN where there is no such key.
    double at(std::int64_t head, std::int64_t distance) const;
};

struct Biases {
    Kept<BiasSource> source;
    Kept<Biases> less;  // of B − A: A's; then `source` is B's
    Curves curves;      // one a head, of the first heads

    std::size_t heads() const { return curves.curves.size(); }
    double at(std::int64_t head, std::int64_t distance) const {
        return source->at(head, distance) - (less != nullptr ? less->at(head, distance) : 0.0);
    }
};

// Null while they are computed.
Kept<Biases> biases(const Scene& scene, Derived& derived);
Kept<Biases> bias_difference(Derived& keeper, const Kept<Biases>& a, const Kept<Biases>& b);

// Every head's bias at one distance.
const std::vector<double>& of_heads(Derived& keeper, const Kept<Biases>& of, std::int64_t distance);

// The bias that every head adds to its logits, by distance: all heads on one axis, and each on its own.

// True if the encoding adds a bias of its own to each head's logits.
bool has_biases(const Scene& scene);

std::string_view biases_headline(Frame& f);
void draw_biases(Frame& f, Rect area);

// The kinds of encodings as a tree, absolute and relative, with a row of computed facts for each.
std::string_view kinds_headline(Frame& f);
void draw_kinds(Frame& f, Rect area);

}  // namespace posiscope::figures::scores
