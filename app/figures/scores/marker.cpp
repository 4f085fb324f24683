// marker.cpp — the handle of an offset on its curve, and the value beside it.
#include "app/figures/parts/handles.hpp"
#include "app/figures/scores/scores.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::figures::scores {
namespace {

// True if a drawn curve runs through a rectangle.
bool on_curves(const View& v, const Curves& curves, const Rect& box, bool own) {
    const auto first =
        std::ranges::lower_bound(curves.at, v.x.inverse(box.x0), {}, [&](double at) { return v.along(at); });
    for (auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - curves.at.begin(), 1));
         i < curves.at.size(); ++i) {
        for (std::size_t n = 0; n < curves.curves.size(); ++n) {
            if (own && !v.draws(n)) continue;
            const Curve& curve = curves.curves[n];
            float top = 1e9F, bottom = -1e9F;
            const auto reach = [&](double value) {
                if (!std::isfinite(value)) return;
                top = std::min(top, v.y(value)), bottom = std::max(bottom, v.y(value));
            };
            for (const std::size_t column : {i - 1, i}) {
                reach(curve.band.empty() ? curve.values[column] : curve.band[2 * column]);
                if (!curve.band.empty()) reach(curve.band[2 * column + 1]);
            }
            if (top < box.y1 && bottom > box.y0) return true;
        }
        if (v.x(v.along(curves.at[i])) > box.x1) break;
    }
    return false;
}

}  // namespace

void marker(View& v, std::int64_t distance, ui::Colour colour, bool ghost, Rect taken) {
    canvas::Canvas& c = v.frame.canvas;
    const double value = v.score(distance);
    const Point at{v.x(v.along(static_cast<double>(distance))), v.y(value)};
    // A value beyond all that the curves are drawn of may have no place.
    if (!can_be_drawn(value) || !std::isfinite(at.y) || !v.shows(static_cast<double>(distance))) return;
    c.line({at.x, at.y}, {at.x, v.plot.y1}, {ghost ? ui::faded(colour, 0.5F) : colour, 1.0F, 3.0F});
    if (ghost) {
        c.circle(at, 5.0F, {ui::faded(colour, 0.6F), 1.0F});
        return;
    }
    handle(v.frame, at, 6.0F, colour);
    // Its value: where no curve is, or on a patch that keeps the curve off it.
    const std::string_view text = ui::significant(v.frame.scratch, value, 5);
    const float width = c.text_width(text, ui::Face::strong, ui::kTextSize);
    // Outwards, where the curve is lower; inwards only where there is no room.
    const bool left = distance < 0 ? at.x - 12.0F - width > v.plot.x0 : at.x + 12.0F + width > v.plot.x1;
    const auto place = [&](bool to_left, float baseline) {
        Point lower{to_left ? at.x - 12.0F - width : at.x + 12.0F, std::max(baseline, v.plot.y0 + 12.0F)};
        if (lower.x < taken.x1 && lower.x + width > taken.x0 && lower.y - 13.0F < taken.y1)
            lower.y = std::max(lower.y, taken.y1 + 15.0F);
        return lower;
    };
    std::optional<Point> best;
    // Beside its handle, then ever farther above and below it.
    for (const float rise : {-5.0F, 16.0F, -24.0F, 35.0F, -43.0F, 54.0F})
        for (const bool to_left : {left, !left}) {
            if (best) continue;
            const Point one = place(to_left, at.y + rise);
            // The words, and where there are many curves all of the patch below them.
            const Rect box = v.mode == Mode::all
                                 ? Rect{one.x - 3.0F, one.y - 13.0F, one.x + width + 3.0F, one.y + 4.0F}
                                 : Rect{one.x - 1.0F, one.y - 11.0F, one.x + width + 1.0F, one.y + 1.0F};
            const bool inside = box.x0 > v.plot.x0 && box.x1 < v.plot.x1 && box.y1 < v.plot.y1;
            if (inside && !on_curves(v, v.curves, box, true) &&
                (v.b == nullptr || !on_curves(v, *v.b, box, false)))
                best = one;
        }
    // Among many curves it would hide others; the headline has it.
    if (!best && v.mode == Mode::all) return;
    const Point found = best.value_or(place(left, at.y - 5.0F));
    c.fill({found.x - 3.0F, found.y - 13.0F, found.x + width + 3.0F, found.y + 4.0F},
           ui::faded(v.frame.theme.tile, 0.85F), 3.0F);
    c.text(found, text, {v.frame.theme.ink, ui::kTextSize, ui::Face::strong});
}

}  // namespace posiscope::figures::scores
