// axes.hpp — ticks and plot frames for all figures with axes.
#pragma once

#include "app/canvas/canvas.hpp"
#include "app/ui/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace posiscope::canvas {

// Ticks at multiples of 1, 2 or 5 times a power of ten, at most `most` of them within [from, to].
struct Ticks {
    std::array<double, 16> at{};
    std::size_t count = 0;
    double step = 0.0;
    int decimals() const;
    std::span<const double> values() const& { return std::span(at).first(count); }
    std::span<const double> values() && = delete;  // they would be read after their end
};
Ticks ticks(double from, double to, int most);

// A linear map from data to points on one axis.
struct Axis {
    double from = 0.0, to = 1.0;
    float at_from = 0.0F, at_to = 1.0F;

    float operator()(double value) const {
        return at_from + static_cast<float>((value - from) / (to - from)) * (at_to - at_from);
    }
    double inverse(float point) const {
        return from + (to - from) * static_cast<double>((point - at_from) / (at_to - at_from));
    }
};

// A sampled curve as points. Where several samples share a pixel column, each column keeps its minimum and maximum, in
// order, so that no peak is lost and the cost of drawing does not grow with the samples.
std::span<const Point> curve_points(std::vector<Point>& memory, std::span<const double> samples,
                                    const Axis& x, const Axis& y, double first, double stride,
                                    float pixels_per_point);

// A plot's frame: horizontal rules with numbers at their left, ticks with numbers below, and the axes' names.
void frame_plot(Canvas& canvas, const ui::Theme& theme, ui::Scratch& scratch, Rect plot, const Axis& x,
                const Axis& y, std::string_view x_name, std::string_view y_name, bool signed_x);

// Ticks that keep their numbers apart.
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
