#include "app/canvas/heatmap.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace posiscope::canvas {

std::uint64_t samples_key(std::span<const float> samples) {
    // Eight bytes at a time, in four chains that do not wait for one another.
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;
    constexpr std::size_t kChains = 4;
    std::uint64_t chains[kChains] = {1, 2, 3, 4};
    const auto mix = [&](std::size_t chain, std::uint64_t word) {
        std::uint64_t& h = chains[chain];
        h = (h ^ word) * kOdd;
        h ^= h >> 29U;
    };
    const std::size_t words = samples.size() / 2;
    for (std::size_t i = 0; i < words; ++i) {
        std::uint64_t word = 0;
        std::memcpy(&word, samples.data() + 2 * i, sizeof word);
        mix(i % kChains, word);
    }
    if (samples.size() % 2 == 1) {
        std::uint32_t last = 0;
        std::memcpy(&last, &samples.back(), sizeof last);
        mix(0, last);
    }
    mix(0, samples.size());
    for (std::size_t i = 1; i < kChains; ++i) mix(0, chains[i]);
    mix(0, 0);
    return chains[0];
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

std::uint32_t heatmap_colour(const HeatmapView& view, const FieldSampler::Sample& sample) {
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

double border_strength(const HeatmapView& view) {
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

}  // namespace posiscope::canvas
