#include "app/gl/matrix_bins.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace posiscope::gl {
namespace {

std::uint32_t bits_of(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

constexpr std::uint32_t kBorder = 1;
constexpr std::uint32_t kHidden = 2;

// A mean over cells of `range`, cut into pixels.
Texel bin_of(const Cover& cover) {
    return {static_cast<std::uint32_t>(cover.first), static_cast<std::uint32_t>(cover.count), bits_of(cover.first_weight),
            bits_of(cover.last_weight)};
}

// Pairs under the columns, each two columns wide whatever the order.
Range pair_range(const Range& columns) {
    const double origin = static_cast<double>(columns.origin);
    return {0, std::max(0.0, 0.5 * (origin + columns.first)), 0.5 * (origin + columns.last)};
}

std::uint32_t border_flag(const MatrixView& view, const PixelBounds& bounds, int pixel) {
    return view.borders && bounds.starts_cell(pixel) ? kBorder : 0U;
}

Texel whole_pair(std::int64_t pair) { return {static_cast<std::uint32_t>(pair), 1U, bits_of(1.0), 0U}; }

// `pixels` columns of pairs from `left` on, which take component `component` (0 cos, 1 sin; phase: stride 1).
void fill_pair_columns(const MatrixView& view, std::int64_t pairs, int pixels, ColumnBins& out) {
    const PixelBounds bounds(pair_range(view.columns), pixels);
    if (bounds.span() > 1.0) {  // several pairs a pixel: a bin for each pixel
        out.inner_weight = 1.0 / bounds.span();
        for (int x = 0; x < pixels; ++x) {
            Cover cover = bounds.cover(x);
            cover.first = std::clamp<std::int64_t>(cover.first, 0, pairs - 1);
            cover.count = std::min(cover.count, pairs - cover.first);
            out.bins.push_back(bin_of(cover));
            out.columns.push_back({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x), 0U, 0U});
        }
        return;
    }
    const std::int64_t first = bounds.cover(0).first;
    const Cover last = bounds.cover(pixels - 1);
    for (std::int64_t pair = first; pair < last.first + last.count; ++pair)
        out.bins.push_back(whole_pair(std::min(pair, pairs - 1)));
    for (int x = 0; x < pixels; ++x) {
        const Cover cover = bounds.cover(x);
        const auto bin = static_cast<std::uint32_t>(cover.first - first);
        const std::uint32_t next = cover.count > 1 ? bin + 1 : bin;
        out.columns.push_back({bin, next, bits_of(cover.count > 1 ? cover.last_weight : 0.0), border_flag(view, bounds, x)});
    }
}

// A component's place among (cos, sin).
std::uint32_t vector_part(const MatrixView& view, int component) {
    return static_cast<std::uint32_t>(view.rotary ? component : 1 - component);
}

void fill_blocks(const MatrixView& view, std::int64_t pairs, ColumnBins& out) {
    const Blocks blocks = block_layout(view);
    fill_pair_columns(view, pairs, blocks.width, out);
    const auto part = [](Texel texel, std::uint32_t component) {
        texel[0] = texel[0] * 2 + component;
        texel[1] = texel[1] * 2 + component;
        return texel;
    };
    out.columns.resize(static_cast<std::size_t>(view.width), Texel{0U, 0U, 0U, kHidden});
    for (int x = 0; x < blocks.width; ++x) {
        Texel& left = out.columns[static_cast<std::size_t>(x)];
        const Texel both = left;
        left = part(both, vector_part(view, 0));
        if (view.width > 1) out.columns[static_cast<std::size_t>(blocks.second + x)] = part(both, vector_part(view, 1));
    }
}

// Columns in their own order, 2 px or wider: a bin for each pair in view.
void fill_own(const MatrixView& view, std::int64_t pairs, ColumnBins& out) {
    const PixelBounds bounds(view.columns, view.width);
    const bool halves = view.order == PairOrder::halves;
    const std::int64_t first = bounds.cover(0).first;
    const Cover end = bounds.cover(view.width - 1);
    const std::int64_t last = std::min(end.first + end.count, 2 * pairs) - 1;
    for (std::int64_t column = first; column <= last; column += halves ? 1 : 2 - column % 2)
        out.bins.push_back(whole_pair(pair_component(view.order, pairs, column).pair));
    const auto texel_at = [&](std::int64_t column) {
        const std::int64_t bin = halves ? column - first : column / 2 - first / 2;
        return static_cast<std::uint32_t>(bin) * 2 + vector_part(view, pair_component(view.order, pairs, column).component);
    };
    for (int x = 0; x < view.width; ++x) {
        const Cover cover = bounds.cover(x);
        const bool two = cover.count > 1 && cover.first < last;
        out.columns.push_back({texel_at(cover.first), texel_at(two ? cover.first + 1 : cover.first),
                               bits_of(two ? cover.last_weight : 0.0), border_flag(view, bounds, x)});
    }
}

// Halves in their own order, under 2 px a column: a pixel averages pairs of one half. The one across the seam
// moves to the side that covers more of it.
void fill_narrow_halves(const MatrixView& view, std::int64_t pairs, ColumnBins& out) {
    const PixelBounds bounds(view.columns, view.width);
    const double seam = static_cast<double>(pairs - view.columns.origin);
    const double span = std::min(bounds.span(), static_cast<double>(pairs));
    out.inner_weight = 1.0 / span;
    for (int x = 0; x < view.width; ++x) {
        double low = bounds.bound(x);
        double high = bounds.bound(x + 1);
        if (low < seam && high > seam) {
            low = seam - low >= high - seam ? seam - span : seam;
            high = low + span;
        }
        Cover cover = cover_between(view.columns.origin, low, high);
        const int component = low >= seam ? 1 : 0;
        if (component == 1) cover.first -= pairs;
        out.bins.push_back(bin_of(cover));
        const std::uint32_t texel = static_cast<std::uint32_t>(x) * 2 + vector_part(view, component);
        out.columns.push_back({texel, texel, 0U, 0U});
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
    Whole whole{range_.origin + static_cast<std::int64_t>(first), static_cast<std::int64_t>(end - first), first - low, high - end};
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
                             bits_of((whole.after - whole.before) / bounds.span()), border_flag(view, bounds, y)});
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
            steps.push_back({static_cast<std::uint32_t>(half >> 32), static_cast<std::uint32_t>(half), bits_of(p), bits_of(q)});
        }
    }
}

void fill_column_bins(const MatrixView& view, std::int64_t pairs, ColumnBins& out) {
    out.bins.clear();
    out.columns.clear();
    out.inner_weight = 1.0;
    const bool narrow = static_cast<double>(view.width) < 2.0 * view.columns.length();
    if (view.field == Field::phase) fill_pair_columns(view, pairs, view.width, out);
    else if (view.blocks) fill_blocks(view, pairs, out);
    else if (!narrow) fill_own(view, pairs, out);
    else if (view.order == PairOrder::halves) fill_narrow_halves(view, pairs, out);
    else throw std::invalid_argument("interleaved columns under 2 px are drawn as blocks: set MatrixView::blocks");
}

void fill_cells(const MatrixView& view, const Range& range, int pixels, bool per_pixel, std::vector<Texel>& texels) {
    const PixelBounds bounds(range, pixels);
    texels.clear();
    for (int i = 0; i < pixels; ++i) {
        const Cover cover = bounds.cover(i);
        const std::uint32_t flag = border_flag(view, bounds, i);
        if (per_pixel) texels.push_back({static_cast<std::uint32_t>(i), 0U, 0U, flag});
        else texels.push_back({static_cast<std::uint32_t>(cover.first), 0U, bits_of(cover.count > 1 ? cover.last_weight : 0.0), flag});
    }
}

void fill_covers(const MatrixView& view, const Range& range, int pixels, std::vector<Texel>& texels) {
    const PixelBounds bounds(range, pixels);
    texels.clear();
    for (int i = 0; i < pixels; ++i) {
        const Cover cover = bounds.cover(i);
        texels.push_back({static_cast<std::uint32_t>(cover.first) | (border_flag(view, bounds, i) << 24),
                          static_cast<std::uint32_t>(cover.first + cover.count - 1), bits_of(cover.first_weight),
                          bits_of(cover.last_weight)});
    }
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
