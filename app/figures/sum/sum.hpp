// sum.hpp — the shared parts of the Sum figure; plane.cpp has the plane of arrows.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/chain.hpp"
#include "core/encodings/turning.hpp"

namespace posiscope::figures::sums {

inline ScoreKind kind_of(std::string_view mode) {
    return mode == "logit" ? ScoreKind::logit : ScoreKind::dot;
}

struct View {
    Frame& frame;
    const Spectrum& spectrum;
    const ScoreForm& form;
    const Kept<Scoring>& scoring;  // both of them
    Sums& sums;
    const std::vector<double>* arcs;  // null: training is not known
    bool difference = false;          // the arrows are B − A
    Rect plane{};
    double scale = 1.0, middle_x = 0.0, middle_y = 0.0;  // points a unit; what stands in the plane's middle

    std::size_t pairs() const { return spectrum.pairs(); }
    std::size_t pair() const { return std::min(static_cast<std::size_t>(frame.scene.pair), pairs() - 1); }
    bool rotary() const { return encoding_of(frame.scene).acts == Acts::query_key; }
    const Chain& chain(Refilled<Sums::Key, Chain>& memo, std::int64_t distance) const {
        return chain_of(memo, scoring, distance);
    }
    bool past(std::size_t pair, std::int64_t distance) const {
        return arcs != nullptr &&
               past_arc((*arcs)[pair], radians_over(spectrum, pair, static_cast<double>(distance)));
    }
    std::size_t count_past(std::int64_t distance) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < pairs(); ++i) count += past(i, distance) ? 1U : 0U;
        return count;
    }
    ui::Colour colour(std::size_t pair, bool is_past) const {
        const double fraction =
            pairs() > 1 ? static_cast<double>(pair) / static_cast<double>(pairs() - 1) : 0.0;
        return is_past ? frame.theme.beyond : ui::pair_colour(frame.theme, fraction);
    }
    Point at(double x, double y) const {
        const Point centre = plane.centre();
        return {centre.x + static_cast<float>((x - middle_x) * scale),
                centre.y - static_cast<float>((y - middle_y) * scale)};
    }
    Point end(const Chain& chain, std::size_t pair) const { return at(chain.x[pair + 1], chain.y[pair + 1]); }
    Point begin(const Chain& chain, std::size_t pair) const { return at(chain.x[pair], chain.y[pair]); }
};

// Five digits, without the noughts of a whole number.
std::string_view tidy(ui::Scratch& scratch, double value);

// Equal content points all arrows to the right at distance 0, and is its own mirror image from there.
bool aligned(const ScoreForm& form);

void place_plane(View& v, const Chain& chain);
void zoom(View& v);

void draw_thin(View& v, const Chain& chain, canvas::Stroke stroke);
void draw_arrows(View& v, const Chain& chain, std::int64_t distance);
// The horizontal extent, as a bar on the axis with its number; returns where the number is.
Rect draw_score(View& v, const Chain& chain, std::int64_t distance);
// B over A: its arrows as a thin line, and how far they reach.
void draw_b(View& v, const Chain& b, const Chain& a);
void mark_pair(View& v, const Chain& chain, std::size_t pair, ui::Colour colour, bool exact);
// Its name, over the arrows and clear of what is taken; none where both sides of the arrow are.
void name_pair(View& v, const Chain& chain, std::size_t pair, const Rect& taken);
// The pair whose arrow is nearest to the mouse, within reach of a finger.
std::optional<std::size_t> arrow_at(View& v, const Chain& chain, Point mouse);

}  // namespace posiscope::figures::sums
