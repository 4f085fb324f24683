// heatmap_bins.hpp — the cells that each pixel row and column covers (core/fields/fields.hpp), packed for the shaders:
// computed in int64 and double, passed as small integers and weights.
#pragma once

#include "app/canvas/heatmap.hpp"
#include "app/gl/data_texture.hpp"
#include "core/phase/frequencies.hpp"

#include <span>
#include <vector>

namespace posiscope::canvas {

// The bits of the nearest float: a texel of integers carries numbers in this way.
std::uint32_t bits_of(double value);

// The rows of components and phase: one texel a pixel row for means.frag, and the row counts N that occur.
struct RowBins {
    std::vector<gl::Texel> rows;
    std::vector<std::int64_t> counts;
    double span = 1.0;
};
void fill_row_bins(const HeatmapView& view, std::size_t pairs, RowBins& bins);

// P, Q and half steps for each N of `rows`: (pairs · counts) texels.
void fill_steps(std::span<const Step> spectrum, const RowBins& rows, std::vector<gl::Texel>& steps);

// The cells under the pixels of a range, as shaders/covers.glsl reads them. Nothing beyond `cells` is covered.
struct CoverTexels {
    std::vector<gl::Texel> texels;
    Covers covers;
};
void fill_covers(const HeatmapView& view, const Range& range, std::int64_t cells, int pixels,
                 CoverTexels& out);

// The same of a view's columns (core's cover_columns).
void fill_columns(const HeatmapView& view, std::int64_t pairs, CoverTexels& out);

// Marks the borders in the last of a texel's four numbers.
void fill_borders(const HeatmapView& view, const Range& range, int pixels, std::vector<gl::Texel>& texels);
// The same of samples that `all` pixels show, for `pixels` of these from `first` on; the first number is the sample of a
// pixel, the one at its centre.
struct PixelSpan {
    int first, pixels, all;
};
void fill_samples(const HeatmapView& view, const Range& range, int samples, PixelSpan shown,
                  std::vector<gl::Texel>& texels);

}  // namespace posiscope::canvas
