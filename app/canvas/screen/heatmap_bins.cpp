#include "app/canvas/screen/heatmap_bins.hpp"

#include "core/numeric/bits.hpp"

#include <algorithm>

namespace posiscope::canvas {
namespace {

constexpr std::uint32_t kBorder = 0x80000000U;  // in the count of a cover

bool bordered(const HeatmapView& view, const PixelBounds& bounds, int pixel) {
    return view.borders && bounds.starts_cell(pixel);
}

void pack(const HeatmapView& view, const Range& range, CoverTexels& out) {
    const auto pixels = static_cast<int>(out.covers.pixels.size());
    const PixelBounds bounds(range, pixels);
    out.texels.clear();
    for (int i = 0; i < pixels; ++i) {
        const Cover& cover = out.covers.pixels[static_cast<std::size_t>(i)];
        const std::uint32_t border = bordered(view, bounds, i) ? kBorder : 0U;
        out.texels.push_back({static_cast<std::uint32_t>(cover.first),
                              static_cast<std::uint32_t>(cover.count) | border, bits_of(cover.first_weight),
                              bits_of(cover.last_weight)});
    }
}

}  // namespace

std::uint32_t bits_of(double value) { return bits_as<std::uint32_t>(static_cast<float>(value)); }

void fill_row_bins(const HeatmapView& view, std::size_t pairs, RowBins& bins) {
    const PixelBounds bounds(view.rows, view.height);
    bins.rows.clear();
    bins.counts.clear();
    bins.span = bounds.span();
    for (int y = 0; y < view.height; ++y) {
        const PixelBounds::Whole whole = bounds.whole(y);
        auto found = std::find(bins.counts.begin(), bins.counts.end(), whole.count);
        if (found == bins.counts.end()) found = bins.counts.insert(bins.counts.end(), whole.count);
        const auto table = static_cast<std::size_t>(found - bins.counts.begin());
        const std::int64_t multiple = std::max<std::int64_t>(0, 2 * whole.first + whole.count - 1);
        bins.rows.push_back({static_cast<std::uint32_t>(multiple), static_cast<std::uint32_t>(table * pairs),
                             bits_of((whole.after - whole.before) / bounds.span()),
                             bordered(view, bounds, y) ? 1U : 0U});
    }
}

void fill_steps(std::span<const Step> spectrum, const RowBins& rows, std::vector<gl::Texel>& steps) {
    steps.clear();
    for (const std::int64_t count : rows.counts) {
        const auto whole = static_cast<double>(count);
        for (const Step& step : spectrum) {
            // The same half step as core's middle_phase, rounded to 64 bits: right to 2^-33 turns at row 2^31 − 1.
            const std::uint64_t half = (step.high >> 1) + (step.high & 1U);
            double p = 1.0;
            double q = 0.0;
            if (count >= 0) {
                const Turn edge = middle_phase(step, 0, count + 2);
                const double inner = count == 0 ? 0.0 : whole * mean_factor(step, count);
                p = (inner + (rows.span - whole) * cos(edge)) / rows.span;
                q = sin(edge);
            }
            steps.push_back({static_cast<std::uint32_t>(half >> 32), static_cast<std::uint32_t>(half),
                             bits_of(p), bits_of(q)});
        }
    }
}

void fill_covers(const HeatmapView& view, const Range& range, std::int64_t cells, int pixels,
                 CoverTexels& out) {
    cover_range(range, cells, pixels, out.covers);
    pack(view, range, out);
}

void fill_columns(const HeatmapView& view, std::int64_t pairs, CoverTexels& out) {
    cover_columns(view, pairs, out.covers);
    const bool by_pair = view.field == Field::phase || view.blocks;
    pack(view, by_pair ? pair_range(view.columns) : view.columns, out);
}

void fill_borders(const HeatmapView& view, const Range& range, int pixels, std::vector<gl::Texel>& texels) {
    fill_samples(view, range, pixels, {0, pixels, pixels}, texels);
}

void fill_samples(const HeatmapView& view, const Range& range, int samples, PixelSpan shown,
                  std::vector<gl::Texel>& texels) {
    const PixelBounds bounds(range, samples);
    texels.clear();
    for (std::int64_t i = shown.first; i < std::int64_t{shown.first} + shown.pixels; ++i) {
        const auto sample = static_cast<int>((2 * i + 1) * samples / (2 * std::int64_t{shown.all}));
        texels.push_back(
            {static_cast<std::uint32_t>(sample), 0U, 0U, bordered(view, bounds, sample) ? 1U : 0U});
    }
}

}  // namespace posiscope::canvas
