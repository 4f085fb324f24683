#include "app/gl/matrix_view.hpp"

#include "app/gl/phase_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope::gl {

std::uint32_t phase_colour(double turns, double magnitude, std::uint32_t zero) {
    const double angle = 2.0 * std::numbers::pi * turns;
    const double basis[5] = {1.0, std::cos(angle), std::sin(angle), std::cos(2.0 * angle),
                             std::sin(2.0 * angle)};
    std::uint32_t colour = 0xff000000U;
    for (int channel = 0; channel < 3; ++channel) {
        double hue = 0.0;
        for (int i = 0; i < 5; ++i) hue += basis[i] * static_cast<double>(kPhaseCycle[i][channel]);
        const double neutral = ((zero >> (8 * channel)) & 0xffU) / 255.0;
        const double value = std::clamp(neutral + (hue - neutral) * std::min(magnitude, 1.0), 0.0, 1.0);
        colour |= static_cast<std::uint32_t>(std::lround(value * 255.0)) << (8 * channel);
    }
    return colour;
}

std::uint32_t matrix_colour(const MatrixView& view, const FieldSampler::Sample& sample) {
    if (std::isnan(sample.value)) return 0;
    if (view.field == Field::phase)
        return phase_colour(sample.value / (2.0 * std::numbers::pi), sample.magnitude, view.zero);
    const double part = view.range > 0.0 ? std::clamp(sample.value / view.range, -1.0, 1.0) : 0.0;
    const std::uint32_t full = part < 0.0 ? view.negative : view.positive;
    std::uint32_t colour = 0xff000000U;
    for (int shift = 0; shift < 24; shift += 8) {
        const double zero = (view.zero >> shift) & 0xffU, end = (full >> shift) & 0xffU;
        colour |= static_cast<std::uint32_t>(std::lround(zero + std::abs(part) * (end - zero))) << shift;
    }
    return colour;
}

double border_strength(const MatrixView& view) {
    if (!view.borders) return 0.0;
    double columns = view.columns.length();
    double width = view.width;
    if (view.field == Field::phase) columns /= 2.0;
    else if (view.blocks && view.field == Field::components) {
        columns /= 2.0;
        width = block_layout(view).width;
    }
    const double cell = std::min(width / columns, view.height / view.rows.length());
    const double t = std::clamp((cell - 12.0) / 12.0, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

}  // namespace posiscope::gl
