#include "app/gl/matrix_view.hpp"

#include "app/gl/phase_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope::gl {

bool columns_need_blocks(const MatrixView& view) {
    return view.field == Field::components && view.order == PairOrder::interleaved &&
           static_cast<double>(view.width) < 2.0 * view.columns.length();
}

Blocks block_layout(const MatrixView& view) {
    const int gap = std::clamp(view.gap, 0, std::max(0, view.width - 2));
    const int width = std::max(1, (view.width - gap) / 2);
    return {width, std::max(0, view.width - width)};
}

std::optional<PairComponent> component_at(const MatrixView& view, std::int64_t pairs, double x) {
    const auto origin = static_cast<double>(view.columns.origin);
    const auto inside = [&](std::int64_t pair) { return pair >= 0 && pair < pairs; };
    const double first = origin + view.columns.first;
    if (view.blocks && view.field == Field::components) {
        const Blocks blocks = block_layout(view);
        const int component = x >= blocks.second ? 1 : 0;
        const double within = component == 1 ? x - blocks.second : x;
        if (within < 0.0 || within >= blocks.width) return std::nullopt;
        const double place = first + within / blocks.width * view.columns.length();
        const auto pair = static_cast<std::int64_t>(std::floor(place / 2.0));
        if (!inside(pair)) return std::nullopt;
        return PairComponent{pair, component};
    }
    const auto column = static_cast<std::int64_t>(std::floor(first + x / view.width * view.columns.length()));
    if (!inside(column / 2) || column < 0) return std::nullopt;
    if (view.field == Field::phase) return PairComponent{column / 2, 0};
    return pair_component(view.order, pairs, column);
}

Extent extent_of(const MatrixView& view, std::int64_t pairs, PairComponent at) {
    const double origin = static_cast<double>(view.columns.origin) + view.columns.first;
    const double length = view.columns.length();
    if (view.field == Field::phase || (view.blocks && view.field == Field::components)) {
        const Blocks blocks = view.field == Field::phase ? Blocks{view.width, 0} : block_layout(view);
        const double scale = blocks.width / length;
        const double left = (static_cast<double>(2 * at.pair) - origin) * scale;
        return {left + (view.field != Field::phase && at.component == 1 ? blocks.second : 0), 2.0 * scale};
    }
    const double scale = view.width / length;
    return {(static_cast<double>(dimension(view.order, pairs, at)) - origin) * scale, scale};
}

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

}  // namespace posiscope::gl
