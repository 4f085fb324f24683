#include "core/encodings/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace posiscope {

void turn_pair(std::span<double> x, PairLayout layout, std::int64_t pairs, std::int64_t pair, double cosine,
               double sine) {
    double& first = x[static_cast<std::size_t>(dimension(layout, pairs, {pair, 0}))];
    double& second = x[static_cast<std::size_t>(dimension(layout, pairs, {pair, 1}))];
    const double a = first, b = second;
    first = a * cosine - b * sine;
    second = a * sine + b * cosine;
}

bool is_whole(double places) { return places == std::trunc(places) && std::abs(places) <= 0x1p31; }

PairAngle angle_at(const Spectrum& spectrum, std::size_t pair, double places) {
    if (is_whole(places)) {
        const Turn turn = phase(spectrum.step[pair], static_cast<std::int64_t>(places));
        return {cos(turn), sin(turn), turn.radians()};
    }
    const double angle = spectrum.frequency[pair] * places;
    const double reduced = std::remainder(angle, 2.0 * std::numbers::pi);
    return {std::cos(angle), std::sin(angle), reduced < std::numbers::pi ? reduced : -std::numbers::pi};
}

AxisPositions grid_positions(std::span<const std::int64_t> grid, std::size_t axes, std::int64_t position) {
    if (grid.empty()) return {position, position, position, position};
    const std::int64_t row = position / grid[2];
    if (axes == 4) return {position, position % grid[2], row % grid[1], row / grid[1]};
    return {row / grid[1], row % grid[1], position % grid[2], 0};
}

AxisPositions plane_positions(std::int64_t width, bool rows_first, std::int64_t position) {
    const std::int64_t column = width == 0 ? position : position % width,
                       row = width == 0 ? position : position / width;
    return rows_first ? AxisPositions{row, column, 0, 0} : AxisPositions{column, row, 0, 0};
}

Places places_of(const AxisPositions& positions) {
    Places places{};
    std::copy(positions.begin(), positions.end(), places.begin());
    return places;
}

void turn_features(std::span<double> x, const Spectrum& spectrum, PairLayout layout,
                   std::span<const int> axes, const Places& places, double from_centre) {
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    for (std::int64_t i = 0; i < pairs; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const PairAngle angle =
            angle_at(spectrum, at, places[axes.empty() ? 0 : static_cast<std::size_t>(axes[at])]);
        const double size =
            spectrum.growth.empty() ? spectrum.attention_factor : std::exp(spectrum.growth[at] * from_centre);
        turn_pair(x, layout, pairs, i, size * angle.cos, size * angle.sin);
    }
}

LogitWaves rotary_waves(const Spectrum& spectrum, PairLayout layout, double scale, const Contents& contents) {
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    const double factor = scale * spectrum.attention_factor * spectrum.attention_factor;
    LogitWaves made;
    made.spectrum = spectrum;
    for (std::int64_t i = 0; i < pairs; ++i) {
        const auto first = static_cast<std::size_t>(dimension(layout, pairs, {i, 0})),
                   second = static_cast<std::size_t>(dimension(layout, pairs, {i, 1}));
        const auto &q = contents.q, &k = contents.k;
        made.even.push_back(factor * (q[first] * k[first] + q[second] * k[second]));
        made.odd.push_back(factor * (q[first] * k[second] - q[second] * k[first]));
    }
    for (auto f = static_cast<std::size_t>(2 * pairs); f < contents.q.size(); ++f)
        made.constant += scale * contents.q[f] * contents.k[f];
    return made;
}

std::vector<std::int64_t> to_halves(std::int64_t pairs, std::int64_t features) {
    std::vector<std::int64_t> permutation(static_cast<std::size_t>(features));
    std::iota(permutation.begin(), permutation.end(), 0);
    for (std::int64_t i = 0; i < pairs; ++i) {
        permutation[static_cast<std::size_t>(i)] = 2 * i;
        permutation[static_cast<std::size_t>(i + pairs)] = 2 * i + 1;
    }
    return permutation;
}

std::vector<int> mrope_axes(std::span<const std::int64_t> sections, std::int64_t pairs, bool interleaved,
                            int rest) {
    std::vector<int> axes;
    const std::int64_t sum = std::accumulate(sections.begin(), sections.end(), std::int64_t{0});
    for (std::int64_t i = 0; i < pairs; ++i) {
        const std::int64_t sector = sum > 0 ? i % sum : i;
        if (interleaved) {
            const auto axis = static_cast<std::size_t>(sector % 3);
            axes.push_back(axis < sections.size() && sector < 3 * sections[axis] ? static_cast<int>(axis)
                                                                                 : rest);
            continue;
        }
        int axis = 0;
        std::int64_t end = 0;
        while (axis < 3 && static_cast<std::size_t>(axis) < sections.size()) {
            end += sections[static_cast<std::size_t>(axis)];
            if (sector < end) break;
            ++axis;
        }
        axes.push_back(axis);
    }
    return axes;
}

Spectrum axial_spectrum(double base, std::int64_t head_dim) {
    const auto quarter = static_cast<std::size_t>(head_dim / 4);
    Spectrum spectrum = geometric_spectrum(base, quarter, quarter);
    const Spectrum one = spectrum;
    spectrum.frequency.insert(spectrum.frequency.end(), one.frequency.begin(), one.frequency.end());
    spectrum.step.insert(spectrum.step.end(), one.step.begin(), one.step.end());
    return spectrum;
}

std::vector<int> axial_axes(std::int64_t head_dim) {
    std::vector<int> axes(static_cast<std::size_t>(head_dim / 2), 0);
    std::fill(axes.begin() + static_cast<std::ptrdiff_t>(head_dim / 4), axes.end(), 1);
    return axes;
}

}  // namespace posiscope
