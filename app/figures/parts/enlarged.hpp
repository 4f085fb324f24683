// enlarged.hpp — a small table as the samples of a heatmap, each cell several of them: viewers of vector files smooth images
// that they enlarge.
#pragma once

#include "app/canvas/heatmap.hpp"
#include "app/ui/theme.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace posiscope::figures {

// All of so many samples, in colours about a neutral zero.
inline canvas::HeatmapView view_of_samples(const ui::Theme& theme, int width, int height, double range) {
    canvas::HeatmapView view;
    view.field = Field::samples;
    view.width = width, view.height = height;
    view.rows = {0, 0.0, static_cast<double>(height)};
    view.columns = {0, 0.0, static_cast<double>(width)};
    view.negative = theme.minus, view.zero = theme.neutral, view.positive = theme.plus;
    view.borders = false;
    view.range = range;
    return view;
}

struct Enlarged {
    std::vector<float> samples;
    int width = 0, height = 0;
    std::uint64_t key = 0;  // of the samples
};

// Samples for a cell of so many device pixels.
inline int enlargement(float pixels) { return std::clamp(static_cast<int>(std::ceil(pixels)), 1, 24); }

// `table` is [rows, width]; each cell becomes across × down samples.
inline Enlarged enlarge(std::span<const float> table, int width, int across, int down) {
    Enlarged made;
    const int rows = width > 0 ? static_cast<int>(table.size()) / width : 0;
    made.width = width * across;
    made.height = rows * down;
    made.samples.reserve(static_cast<std::size_t>(made.width) * static_cast<std::size_t>(made.height));
    for (int y = 0; y < made.height; ++y)
        for (int x = 0; x < made.width; ++x)
            made.samples.push_back(
                table[static_cast<std::size_t>(y / down) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x / across)]);
    made.key = canvas::samples_key(made.samples);
    return made;
}

}  // namespace posiscope::figures
