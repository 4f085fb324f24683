// spaced.hpp — ticks that keep their numbers apart.
#pragma once

#include "app/canvas/axes.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::canvas {

// At most `most` of them; but three, at less round steps, where these are at least `gap` points apart.
Ticks spaced_ticks(const Axis& axis, int most, float gap);

// From ten million on as a power of ten, with the digits that tell a tick from its neighbours.
std::string_view tick_text(ui::Scratch& scratch, const Ticks& ticks, double value);

// An axis in one row: its name in the middle, and whole ticks beside it, none past `right`; `number` has the text of each.
template <class Number>
void name_axis(Canvas& c, ui::Colour ink, const Axis& x, float right, float baseline, std::string_view name,
               Number number) {
    const TextStyle style{ink, ui::kSmallSize, Face::text, Align::centre};
    const auto width = [&](std::string_view words) { return c.text_width(words, style.face, style.size); };
    const float middle = 0.5F * (x.at_from + x.at_to), half = name.empty() ? 0.0F : 0.5F * width(name) + 8.0F;
    if (!name.empty()) c.text({middle, baseline}, name, style);
    const auto has_room = [&](double tick) {
        const float reach = 0.5F * width(number(tick));
        return tick == std::round(tick) && std::abs(x(tick) - middle) >= half + reach &&
               x(tick) + reach <= right;
    };
    // More of them where the name leaves fewer than three.
    const int most = std::clamp(static_cast<int>((x.at_to - x.at_from) / 64.0F), 2, 10);
    const float gap = width(number(x.to)) + 10.0F;
    Ticks ticks = spaced_ticks(x, most, gap);
    for (int more = most + 1; more < 12 && std::ranges::count_if(ticks.values(), has_room) < 3; ++more) {
        const Ticks finer = spaced_ticks(x, more, gap);
        if (finer.count > 1 && x(finer.at[1]) - x(finer.at[0]) >= gap) ticks = finer;
    }
    for (const double tick : ticks.values())
        if (has_room(tick)) c.text({x(tick), baseline}, number(tick), style);
}

}  // namespace posiscope::canvas
