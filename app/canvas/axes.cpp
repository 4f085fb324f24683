#include "app/canvas/axes.hpp"

#include "core/cost.hpp"

namespace posiscope::canvas {

int Ticks::decimals() const {
    return step >= 1.0 ? 0 : std::min(9, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
}

Ticks ticks(double from, double to, int most) {
    Ticks result;
    if (!(to > from) || most < 1) return result;
    most = std::min(most, static_cast<int>(result.at.size()));
    double step = std::pow(10.0, std::floor(std::log10((to - from) / most)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (std::floor(to / (step * factor)) - std::ceil(from / (step * factor)) + 1.0 <= most) {
            step *= factor;
            break;
        }
    result.step = step;
    const double first = std::ceil(from / step - 1e-9);
    for (int i = 0; i < most && (first + i) * step <= to + 1e-9 * step; ++i)
        result.at[result.count++] = first + i == 0.0 ? 0.0 : (first + i) * step;
    return result;
}

std::span<const Point> curve_points(std::vector<Point>& memory, std::span<const double> samples,
                                    const Axis& x, const Axis& y, double first, double stride,
                                    float pixels_per_point) {
    memory.clear();
    spend(4.0 * static_cast<double>(samples.size()));
    const auto place = [&](std::size_t i) {
        return Point{x(first + stride * static_cast<double>(i)), y(samples[i])};
    };
    const float width = std::abs(x.at_to - x.at_from) * pixels_per_point;
    if (static_cast<float>(samples.size()) <= 2.0F * width) {
        for (std::size_t i = 0; i < samples.size(); ++i)
            if (std::isfinite(samples[i])) memory.push_back(place(i));
        return memory;
    }
    for (std::size_t i = 0; i < samples.size();) {
        const float column = std::floor(place(i).x * pixels_per_point);
        std::size_t least = i, most = i;
        for (; i < samples.size() && std::floor(place(i).x * pixels_per_point) == column; ++i) {
            if (samples[i] < samples[least]) least = i;
            if (samples[i] > samples[most]) most = i;
        }
        if (!std::isfinite(samples[least]) || !std::isfinite(samples[most])) continue;
        memory.push_back(place(std::min(least, most)));
        if (least != most) memory.push_back(place(std::max(least, most)));
    }
    return memory;
}

Ticks spaced_ticks(const Axis& axis, int most, float gap) {
    const Ticks few = ticks(axis.from, axis.to, most);
    for (int more = most + 1; few.count < 3 && more < 10; ++more) {
        const Ticks finer = ticks(axis.from, axis.to, more);
        if (finer.count >= 3 && std::abs(axis(finer.at[1]) - axis(finer.at[0])) >= gap) return finer;
    }
    return few;
}

std::string_view tick_text(ui::Scratch& scratch, const Ticks& ticks, double value) {
    if (std::abs(value) < 1e7) return ui::fixed(scratch, value, ticks.decimals());
    const auto power = [](double of) { return static_cast<int>(std::floor(std::log10(of) + 1e-9)); };
    return ui::significant(scratch, value, std::clamp(1 + power(std::abs(value)) - power(ticks.step), 1, 9));
}

void frame_plot(Canvas& canvas, const ui::Theme& theme, ui::Scratch& scratch, Rect plot, const Axis& x,
                const Axis& y, std::string_view x_name, std::string_view y_name, bool signed_x) {
    const TextStyle number{theme.ink_soft, ui::kSmallSize, Face::text, Align::right};
    const Ticks across = spaced_ticks(y, std::clamp(static_cast<int>(plot.height() / 36.0F), 2, 8), 18.0F);
    for (const double value : across.values()) {
        canvas.line({plot.x0, y(value)}, {plot.x1, y(value)}, {theme.grid, 1.0F});
        canvas.text({plot.x0 - 7.0F, y(value) + 4.0F}, tick_text(scratch, across, value), number);
    }
    const auto width = [&](double value) {
        return canvas.text_width(ui::signed_integer(scratch, std::llround(value)), Face::text,
                                 ui::kSmallSize);
    };
    const float gap = std::max(width(x.from), width(x.to)) + 10.0F;
    const Ticks down = spaced_ticks(x, std::clamp(static_cast<int>(plot.width() / 64.0F), 2, 9), gap);
    for (const double value : down.values()) {
        canvas.line({x(value), plot.y1}, {x(value), plot.y1 + 4.0F}, {theme.ink_faint, 1.0F});
        const auto whole = static_cast<std::int64_t>(std::llround(value));
        const std::string_view label = down.step < 1.0 ? ui::fixed(scratch, value, down.decimals())
                                       : signed_x      ? ui::signed_integer(scratch, whole)
                                                       : ui::integer(scratch, whole);
        // Beside the plot is a margin of this width at least: a long number at its end moves in.
        constexpr float kMargin = 12.0F;
        const float half = 0.5F * canvas.text_width(label, Face::text, ui::kSmallSize);
        canvas.text({std::min(x(value), plot.x1 + kMargin - half), plot.y1 + 17.0F}, label,
                    {theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    }
    canvas.text({plot.centre().x, plot.y1 + 34.0F}, x_name,
                {theme.ink_soft, ui::kSmallSize, Face::text, Align::centre});
    canvas.text({plot.x0 - 7.0F, plot.y0 - 10.0F}, y_name,
                {theme.ink_soft, ui::kSmallSize, Face::text, Align::left});
}

}  // namespace posiscope::canvas
