#include "app/gl/matrix_bins.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace posiscope::gl {
namespace {

std::uint32_t bits_of(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

constexpr std::uint32_t kBorder = 0x80000000U;  // in the count of a cover

bool bordered(const MatrixView& view, const PixelBounds& bounds, int pixel) {
    return view.borders && bounds.starts_cell(pixel);
}

Texel cover_texel(const Cover& cover, bool border) {
    return {static_cast<std::uint32_t>(cover.first),
            static_cast<std::uint32_t>(cover.count) | (border ? kBorder : 0U), bits_of(cover.first_weight),
            bits_of(cover.last_weight)};
}

// Pairs under the columns, each two columns wide whatever the order.
Range pair_range(const Range& columns) {
    const auto origin = static_cast<double>(columns.origin);
    return {0, std::max(0.0, 0.5 * (origin + columns.first)), 0.5 * (origin + columns.last)};
}

// Halves in their own order, under 2 px a column: a pixel averages pairs of one half. The one across the seam
// moves to the side that covers more of it.
void fill_narrow_halves(const MatrixView& view, std::int64_t pairs, Covers& out) {
    const PixelBounds bounds(view.columns, view.width);
    const auto seam = static_cast<double>(pairs - view.columns.origin);
    const double span = std::min(bounds.span(), static_cast<double>(pairs));
    out.texels.clear();
    out.inner = 1.0 / span;
    for (int x = 0; x < view.width; ++x) {
        double low = bounds.bound(x);
        double high = bounds.bound(x + 1);
        if (low < seam && high > seam) {
            low = seam - low >= high - seam ? seam - span : seam;
            high = low + span;
        }
        out.texels.push_back(cover_texel(cover_between(view.columns.origin, low, high), false));
    }
}

}  // namespace

PixelBounds::PixelBounds(Range range, int pixels) : range_(range), pixels_(std::max(1, pixels)) {
    span_ = range.length() / pixels_;
    snap_ = 0x1p-50 * std::max(std::abs(range.first), std::abs(range.last)) + 1e-13;
}

double PixelBounds::bound(int i) const {
    const double place = range_.first + range_.length() * (static_cast<double>(i) / pixels_);
    const double nearest = std::nearbyint(place);
    return std::abs(place - nearest) <= snap_ ? nearest : place;
}

PixelBounds::Whole PixelBounds::whole(int pixel) const {
    const double low = bound(pixel);
    const double high = bound(pixel + 1);
    const double first = std::ceil(low);
    const double end = std::floor(high);
    Whole whole{range_.origin + static_cast<std::int64_t>(first), static_cast<std::int64_t>(end - first),
                first - low, high - end};
    if (whole.count != 0 || (first > low && high > end)) return whole;
    // The pixel ends at a cell's edge, and lies inside that cell: there may be none beyond the edge.
    return {whole.first + (first > low ? 0 : 1), -1, 0.0, 0.0};
}

Cover cover_between(std::int64_t origin, double low, double high) {
    const double first = std::floor(low);
    const double last = std::max(first, std::ceil(high) - 1.0);
    Cover cover;
    cover.first = origin + static_cast<std::int64_t>(first);
    cover.count = static_cast<std::int64_t>(last - first) + 1;
    if (cover.count > 1) {
        cover.first_weight = (first + 1.0 - low) / (high - low);
        cover.last_weight = (high - last) / (high - low);
    }
    return cover;
}

bool PixelBounds::starts_cell(int pixel) const {
    const double low = bound(pixel);
    const double next = std::ceil(low);
    return next < bound(pixel + 1) && next > range_.first;
}

void fill_row_bins(const MatrixView& view, std::size_t pairs, RowBins& bins) {
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

void fill_steps(std::span<const Step> spectrum, const RowBins& rows, std::vector<Texel>& steps) {
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

void fill_covers(const MatrixView& view, const Range& range, std::int64_t cells, int pixels, Covers& covers) {
    const PixelBounds bounds(range, pixels);
    covers.texels.clear();
    covers.inner = 1.0 / bounds.span();
    for (int i = 0; i < pixels; ++i) {
        Cover cover = bounds.cover(i);
        cover.first = std::clamp<std::int64_t>(cover.first, 0, cells - 1);
        cover.count = std::min(cover.count, cells - cover.first);
        covers.texels.push_back(cover_texel(cover, bordered(view, bounds, i)));
    }
}

void fill_columns(const MatrixView& view, std::int64_t pairs, Covers& covers) {
    const bool narrow = static_cast<double>(view.width) < 2.0 * view.columns.length();
    if (view.field == Field::phase) fill_covers(view, pair_range(view.columns), pairs, view.width, covers);
    else if (view.blocks)
        fill_covers(view, pair_range(view.columns), pairs, block_layout(view).width, covers);
    else if (!narrow) fill_covers(view, view.columns, 2 * pairs, view.width, covers);
    else if (view.order == PairOrder::halves) fill_narrow_halves(view, pairs, covers);
    else
        throw std::invalid_argument(
            "interleaved columns under 2 px are drawn as blocks: set MatrixView::blocks");
}

void fill_borders(const MatrixView& view, const Range& range, int pixels, std::vector<Texel>& texels) {
    const PixelBounds bounds(range, pixels);
    texels.clear();
    for (int i = 0; i < pixels; ++i) texels.push_back({0U, 0U, 0U, bordered(view, bounds, i) ? 1U : 0U});
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
