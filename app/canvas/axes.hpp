// axes.hpp — ticks and plot frames for all figures with axes.
#pragma once

#include "app/canvas/canvas.hpp"
#include "app/ui/numbers.hpp"

#include <array>
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

}  // namespace posiscope::canvas
