#include "app/canvas/screen/heatmap_layer.hpp"

#include "app/canvas/screen/heatmap_bins.hpp"
#include "core/numeric/bits.hpp"

#include <algorithm>
#include <stdexcept>

namespace posiscope::canvas {
namespace {

// A pixel touches a cell and `more` after it: weights 1 − f, 1 … 1, span − more + f, where f is the part of the first
// cell before the pixel.  f runs from its least value in units that keep small pixels from cancelling.
double least_cut(std::int64_t more, double span) { return std::max(0.0, static_cast<double>(more) - span); }
double cut_unit(double span) { return std::min(1.0, span); }

// One direction: the first cell each pixel touches, how many more (as an index into `counts`), and where it cuts.
struct Side {
    std::vector<gl::Texel> texels;  // cell − lowest, count, cut, border
    std::vector<std::int64_t> counts;
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    double span = 1.0;
};

Side side_of(const HeatmapView& view, const Range& range, int pixels) {
    const PixelBounds bounds(range, pixels);
    Side side;
    side.span = bounds.span();
    side.lowest = bounds.cover(0).first;
    for (int i = 0; i < pixels; ++i) {
        const Cover cover = bounds.cover(i);
        const std::int64_t more = cover.count - 1;
        auto found = std::find(side.counts.begin(), side.counts.end(), more);
        if (found == side.counts.end()) found = side.counts.insert(side.counts.end(), more);
        const double cut = bounds.bound(i) - static_cast<double>(cover.first - range.origin);
        const double part = more == 0 ? 0.0 : (cut - least_cut(more, side.span)) / cut_unit(side.span);
        side.texels.push_back({static_cast<std::uint32_t>(cover.first - side.lowest),
                               static_cast<std::uint32_t>(found - side.counts.begin()), bits_of(part),
                               view.borders && bounds.starts_cell(i) ? 1U : 0U});
        side.highest = std::max(side.highest, cover.first);
    }
    return side;
}

// Numbers over distances, 0 beyond both ends, with their running sums.
class Series {
public:
    template <class Value>
    Series(std::int64_t first, std::int64_t last, Value value) : first_(first) {
        values_.reserve(static_cast<std::size_t>(last - first + 1));
        sums_.reserve(values_.capacity() + 1);
        sums_.push_back(0.0);
        for (std::int64_t d = first; d <= last; ++d) {
            values_.push_back(value(d));
            sums_.push_back(sums_.back() + values_.back());
        }
    }
    double at(std::int64_t d) const {
        const std::int64_t i = d - first_;
        return i < 0 || i >= static_cast<std::int64_t>(values_.size()) ? 0.0
                                                                       : values_[static_cast<std::size_t>(i)];
    }
    double sum(std::int64_t from, std::int64_t to) const {
        return sum_before(to) - sum_before(from);
    }  // [from, to)

private:
    double sum_before(std::int64_t d) const {
        return sums_[static_cast<std::size_t>(
            std::clamp<std::int64_t>(d - first_, 0, static_cast<std::int64_t>(values_.size())))];
    }
    std::int64_t first_;
    std::vector<double> values_;
    std::vector<double> sums_;
};

// The weighted sum over the cells from `from` on in one direction of distances: at the least cut, and its change.
double fixed_part(const Series& series, std::int64_t from, std::int64_t more, double span) {
    if (more == 0) return span * series.at(from);
    const double cut = least_cut(more, span);
    return series.sum(from, from + more) - cut * series.at(from) +
           (span - static_cast<double>(more) + cut) * series.at(from + more);
}
double cut_part(const Series& series, std::int64_t from, std::int64_t more, double span) {
    return more == 0 ? 0.0 : cut_unit(span) * (series.at(from + more) - series.at(from));
}

// The same against it.
double fixed_back(const Series& series, std::int64_t from, std::int64_t more, double span) {
    if (more == 0) return span * series.at(from);
    const double cut = least_cut(more, span);
    return series.sum(from - more + 1, from + 1) - cut * series.at(from) +
           (span - static_cast<double>(more) + cut) * series.at(from - more);
}
double cut_back(const Series& series, std::int64_t from, std::int64_t more, double span) {
    return more == 0 ? 0.0 : cut_unit(span) * (series.at(from - more) - series.at(from));
}

void fill_by_distance(const Toeplitz& toeplitz, const Side& rows, const Side& columns, ToeplitzTable& out) {
    const std::int64_t first = rows.lowest - columns.highest;
    const std::int64_t last = rows.highest - columns.lowest;
    if (last - first >= kLargestToeplitz)
        throw std::invalid_argument("too many distances in view: give one value a diagonal");
    const auto value = [&](std::int64_t d) {
        const std::int64_t i = d - toeplitz.first;
        return i < 0 || i >= static_cast<std::int64_t>(toeplitz.values.size())
                   ? 0.0
                   : static_cast<double>(toeplitz.values[static_cast<std::size_t>(i)]);
    };
    const std::int64_t most_rows = *std::max_element(rows.counts.begin(), rows.counts.end());
    const std::int64_t most_columns = *std::max_element(columns.counts.begin(), columns.counts.end());
    const Series values(first - most_columns, last + most_rows, value);
    const std::size_t kinds = rows.counts.size() * columns.counts.size();
    out.table.assign(static_cast<std::size_t>(last - first + 1) * kinds, gl::Texel{});
    const double area = rows.span * columns.span;
    for (std::size_t c = 0; c < columns.counts.size(); ++c) {
        // Columns run against the distance: those after the first lie at smaller ones.
        const std::int64_t more = columns.counts[c];
        const Series fixed(first, last + most_rows,
                           [&](std::int64_t d) { return fixed_back(values, d, more, columns.span); });
        const Series cut(first, last + most_rows,
                         [&](std::int64_t d) { return cut_back(values, d, more, columns.span); });
        for (std::size_t r = 0; r < rows.counts.size(); ++r) {
            for (std::int64_t d = first; d <= last; ++d) {
                const std::int64_t n = rows.counts[r];
                out.table[static_cast<std::size_t>(d - first) * kinds + r * columns.counts.size() + c] = {
                    bits_of(fixed_part(fixed, d, n, rows.span) / area),
                    bits_of(cut_part(fixed, d, n, rows.span) / area),
                    bits_of(fixed_part(cut, d, n, rows.span) / area),
                    bits_of(cut_part(cut, d, n, rows.span) / area)};
            }
        }
    }
}

}  // namespace

void fill_toeplitz(const HeatmapView& view, const Toeplitz& toeplitz, ToeplitzTable& out) {
    Side rows = side_of(view, view.rows, view.height);
    Side columns = side_of(view, view.columns, view.width);
    std::size_t kinds = rows.counts.size() * columns.counts.size();
    std::size_t per_row = columns.counts.size();
    if (toeplitz.index == Toeplitz::Index::by_distance) {
        fill_by_distance(toeplitz, rows, columns, out);
    } else {
        kinds = per_row = 1;
        for (std::uint32_t y = 0; y < rows.texels.size(); ++y)
            rows.texels[y] = {y, 0U, 0U, rows.texels[y][3]};
        for (std::uint32_t x = 0; x < columns.texels.size(); ++x)
            columns.texels[x] = {x, 0U, 0U, columns.texels[x][3]};
        columns.lowest = 0;
        columns.highest = view.width - 1;
        out.table.clear();
        for (const float value : toeplitz.values)
            out.table.push_back({bits_as<std::uint32_t>(value), 0U, 0U, 0U});
    }
    // The shader adds a row's place and subtracts a column's.
    out.columns_after = static_cast<int>(columns.highest - columns.lowest) * static_cast<int>(kinds);
    for (gl::Texel& texel : rows.texels)
        texel[0] =
            texel[0] * static_cast<std::uint32_t>(kinds) + texel[1] * static_cast<std::uint32_t>(per_row);
    for (gl::Texel& texel : columns.texels)
        texel[0] = texel[0] * static_cast<std::uint32_t>(kinds) - texel[1];
    out.rows = std::move(rows.texels);
    out.columns = std::move(columns.texels);
}

}  // namespace posiscope::canvas
