#include "core/encodings/rotation.hpp"

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

void turn_features(std::span<double> x, const Spectrum& spectrum, PairLayout layout, std::int64_t position) {
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    for (std::int64_t i = 0; i < pairs; ++i) {
        const Turn turn = phase(spectrum.step[static_cast<std::size_t>(i)], position);
        turn_pair(x, layout, pairs, i, spectrum.attention_factor * cos(turn),
                  spectrum.attention_factor * sin(turn));
    }
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

void turn_features(std::span<double> x, const Spectrum& spectrum, PairLayout layout,
                   std::span<const int> axes, const AxisPositions& positions) {
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    for (std::int64_t i = 0; i < pairs; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Turn turn = phase(spectrum.step[at], positions[static_cast<std::size_t>(axes[at])]);
        turn_pair(x, layout, pairs, i, spectrum.attention_factor * cos(turn),
                  spectrum.attention_factor * sin(turn));
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
