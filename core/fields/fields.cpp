#include "core/fields/fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace posiscope {
namespace {

// Halves in their own order, under 2 px per column: a pixel averages pairs of one half. The pixel on the seam
// belongs to the side that covers more of it.
void cover_narrow_halves(const FieldView& view, std::int64_t pairs, Covers& out) {
    const PixelBounds bounds(view.columns, view.width);
    const auto seam = static_cast<double>(pairs - view.columns.origin);
    const double span = std::min(bounds.span(), static_cast<double>(pairs));
    out.pixels.clear();
    out.inner = 1.0 / span;
    for (int x = 0; x < view.width; ++x) {
        double low = bounds.bound(x);
        double high = bounds.bound(x + 1);
        if (low < seam && high > seam) {
            low = seam - low >= high - seam ? seam - span : seam;
            high = low + span;
        }
        out.pixels.push_back(cover_between(view.columns.origin, low, high));
    }
}

double weight_of(const Cover& cover, double inner, std::int64_t cell) {
    if (cell < cover.first || cell >= cover.first + cover.count) return 0.0;
    return cell == cover.first                     ? cover.first_weight
           : cell == cover.first + cover.count - 1 ? cover.last_weight
                                                   : inner;
}

}  // namespace

bool columns_need_blocks(const FieldView& view) {
    return view.field == Field::components && view.layout == PairLayout::interleaved &&
           static_cast<double>(view.width) < 2.0 * view.columns.length();
}

Blocks block_layout(const FieldView& view) {
    const int gap = std::clamp(view.gap, 0, std::max(0, view.width - 2));
    const int width = std::max(1, (view.width - gap) / 2);
    return {width, std::max(0, view.width - width)};
}

std::optional<PairComponent> component_at(const FieldView& view, std::int64_t pairs, double x) {
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
    return pair_component(view.layout, pairs, column);
}

Extent extent_of(const FieldView& view, std::int64_t pairs, PairComponent at) {
    const double origin = static_cast<double>(view.columns.origin) + view.columns.first;
    const double length = view.columns.length();
    if (view.field == Field::phase || (view.blocks && view.field == Field::components)) {
        const Blocks blocks = view.field == Field::phase ? Blocks{view.width, 0} : block_layout(view);
        const double scale = blocks.width / length;
        const double left = (static_cast<double>(2 * at.pair) - origin) * scale;
        const double start = view.field != Field::phase && at.component == 1 ? blocks.second : 0.0;
        const auto in_block = [&](double x) {
            return start + std::clamp(x, 0.0, static_cast<double>(blocks.width));
        };
        return {in_block(left), in_block(left + 2.0 * scale) - in_block(left)};
    }
    const double scale = view.width / length;
    return {(static_cast<double>(dimension(view.layout, pairs, at)) - origin) * scale, scale};
}

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
    // A pixel that ends at a cell's edge is inside that cell; there may be none beyond the edge.
    return {whole.first + (first > low ? 0 : 1), -1, 0.0, 0.0};
}

bool PixelBounds::starts_cell(int pixel) const {
    const double low = bound(pixel);
    const double next = std::ceil(low);
    return next < bound(pixel + 1) && next > range_.first;
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

void cover_range(const Range& range, std::int64_t cells, int pixels, Covers& covers) {
    const PixelBounds bounds(range, pixels);
    covers.pixels.clear();
    covers.inner = 1.0 / bounds.span();
    for (int i = 0; i < pixels; ++i) {
        Cover cover = bounds.cover(i);
        cover.first = std::clamp<std::int64_t>(cover.first, 0, cells - 1);
        cover.count = std::min(cover.count, cells - cover.first);
        covers.pixels.push_back(cover);
    }
}

Range pair_range(const Range& columns) {
    const auto origin = static_cast<double>(columns.origin);
    return {0, std::max(0.0, 0.5 * (origin + columns.first)), 0.5 * (origin + columns.last)};
}

void cover_columns(const FieldView& view, std::int64_t pairs, Covers& covers) {
    // One pixel per cell mixes nothing, however narrow the cells are drawn later.
    const bool by_cell = view.columns.length() == static_cast<double>(view.width) &&
                         view.columns.first == std::floor(view.columns.first);
    const bool narrow = !by_cell && static_cast<double>(view.width) < 2.0 * view.columns.length();
    if (view.field == Field::phase) cover_range(pair_range(view.columns), pairs, view.width, covers);
    else if (view.blocks) cover_range(pair_range(view.columns), pairs, block_layout(view).width, covers);
    else if (!narrow) cover_range(view.columns, 2 * pairs, view.width, covers);
    else if (view.layout == PairLayout::halves) cover_narrow_halves(view, pairs, covers);
    else throw std::invalid_argument("interleaved columns under 2 px are drawn as blocks: set blocks");
}

FieldSampler::FieldSampler(const FieldView& view, const FieldData& data)
    : view_(view), data_(data), rows_(view.rows, view.height) {
    if (view.difference) {
        FieldView of_a = view;
        of_a.difference = false;
        of_a_ = std::make_unique<FieldSampler>(of_a, FieldData{.steps = data.subtracted});
    }
    const auto pairs = static_cast<std::int64_t>(data.steps.size());
    switch (view.field) {
        case Field::components:
        case Field::phase:
            if (pairs > 0) cover_columns(view, pairs, columns_);
            break;
        case Field::shift_blocks:
            if (pairs == 0) break;
            cover_range(view.rows, 2 * pairs, view.height, row_covers_);
            cover_range(view.columns, 2 * pairs, view.width, columns_);
            for (const Step& step : data.steps) {
                const Turn turned = phase(step, view.offset);
                turned_.push_back({cos(turned), sin(turned)});
            }
            break;
        case Field::toeplitz:
            for (int x = 0; x < view.width; ++x)
                columns_.pixels.push_back(PixelBounds(view.columns, view.width).cover(x));
            sums_.assign(1, 0.0);
            for (const float value : data.toeplitz.values)
                sums_.push_back(sums_.back() + static_cast<double>(value));
            break;
        case Field::samples: break;
    }
}

void FieldSampler::row(int y, std::span<Sample> out) {
    std::fill(out.begin(), out.end(), Sample{std::numeric_limits<double>::quiet_NaN(), 0.0});
    const auto width = static_cast<std::size_t>(view_.width);
    if (view_.field == Field::samples) {
        const std::size_t begin = static_cast<std::size_t>(y) * width;
        for (std::size_t x = 0; x < width && begin + x < data_.samples.size(); ++x)
            out[x] = {static_cast<double>(data_.samples[begin + x])};
    } else if (view_.field == Field::toeplitz) {
        if (!data_.toeplitz.values.empty()) toeplitz(y, out);
    } else if (!data_.steps.empty()) {
        if (view_.field == Field::shift_blocks) shift(y, out);
        else turning(y, out);
    }
    if (of_a_ == nullptr) return;
    row_of_a_.resize(out.size());
    of_a_->row(y, row_of_a_);
    for (std::size_t x = 0; x < out.size(); ++x) out[x].value -= row_of_a_[x].value;
}

// The mean unit vector of a pair over the rows of one pixel row: whole rows in closed form, and the two cut ones.
FieldSampler::Vector FieldSampler::mean(std::size_t pair, const PixelBounds::Whole& whole) const {
    const Step step = data_.steps[pair];
    const auto unit = [](Turn turn) { return Vector{cos(turn), sin(turn)}; };
    if (whole.count < 0) return unit(phase(step, whole.first - 1));
    Vector sum;
    const auto add = [&](Vector v, double weight) {
        sum.cosine += weight * v.cosine;
        sum.sine += weight * v.sine;
    };
    if (whole.count > 0)
        add(unit(middle_phase(step, whole.first, whole.count)),
            static_cast<double>(whole.count) * mean_factor(step, whole.count));
    if (whole.before > 0.0) add(unit(phase(step, whole.first - 1)), whole.before);
    if (whole.after > 0.0) add(unit(phase(step, whole.first + whole.count)), whole.after);
    return {sum.cosine / rows_.span(), sum.sine / rows_.span()};
}

void FieldSampler::turning(int y, std::span<Sample> out) {
    const auto pairs = static_cast<std::int64_t>(data_.steps.size());
    const PixelBounds::Whole whole = rows_.whole(y);
    means_.assign(data_.steps.size(), {std::numeric_limits<double>::quiet_NaN(), 0.0});
    const auto mean_of = [&](std::int64_t pair) {
        Vector& kept = means_[static_cast<std::size_t>(pair)];
        if (std::isnan(kept.cosine)) kept = mean(static_cast<std::size_t>(pair), whole);
        return kept;
    };
    const bool by_pair = view_.field == Field::phase || view_.blocks;
    const auto second = static_cast<std::size_t>(view_.blocks ? block_layout(view_).second : 0);
    for (std::size_t x = 0; x < columns_.pixels.size(); ++x) {
        const Cover& cover = columns_.pixels[x];
        Vector sum;
        double value = 0.0;
        for (std::int64_t cell = cover.first; cell < cover.first + cover.count; ++cell) {
            const double weight = weight_of(cover, columns_.inner, cell);
            const PairComponent at =
                by_pair ? PairComponent{cell, 0} : pair_component(view_.layout, pairs, cell);
            const Vector v = mean_of(at.pair);
            sum.cosine += weight * v.cosine;
            sum.sine += weight * v.sine;
            value += weight * ((at.component == 0) == view_.rotary ? v.cosine : v.sine);
        }
        if (view_.field == Field::phase) {
            out[x] = {std::atan2(sum.sine, sum.cosine), std::hypot(sum.sine, sum.cosine)};
        } else if (view_.blocks) {
            out[x] = {view_.rotary ? sum.cosine : sum.sine};
            if (second + x < out.size() && second > 0)
                out[second + x] = {view_.rotary ? sum.sine : sum.cosine};
        } else {
            out[x] = {value};
        }
    }
}

// M_k is [[c, s], [−s, c]] in each pair, or [[c, −s], [s, c]] of rotary pairs.
void FieldSampler::shift(int y, std::span<Sample> out) const {
    const auto pairs = static_cast<std::int64_t>(data_.steps.size());
    const Cover& row = row_covers_.pixels[static_cast<std::size_t>(y)];
    for (std::size_t x = 0; x < out.size(); ++x) {
        const Cover& column = columns_.pixels[x];
        double value = 0.0;
        for (std::int64_t r = row.first; r < row.first + row.count; ++r) {
            const PairComponent at = pair_component(view_.layout, pairs, r);
            const std::int64_t partner = dimension(view_.layout, pairs, {at.pair, 1 - at.component});
            const Vector v = turned_[static_cast<std::size_t>(at.pair)];
            const double sine = (at.component == 1) == view_.rotary ? v.sine : -v.sine;
            value +=
                weight_of(row, row_covers_.inner, r) * (v.cosine * weight_of(column, columns_.inner, r) +
                                                        sine * weight_of(column, columns_.inner, partner));
        }
        out[x] = {value};
    }
}

// Σ of the values at distances from … to − 1; missing ones count as 0.
double FieldSampler::distance_sum(std::int64_t from, std::int64_t to) const {
    const auto place = [&](std::int64_t distance) {
        return sums_[static_cast<std::size_t>(std::clamp<std::int64_t>(
            distance - data_.toeplitz.first, 0, static_cast<std::int64_t>(sums_.size()) - 1))];
    };
    return place(to) - place(from);
}

void FieldSampler::toeplitz(int y, std::span<Sample> out) const {
    if (data_.toeplitz.index == Toeplitz::Index::by_diagonal) {
        for (std::size_t x = 0; x < out.size(); ++x)
            out[x] = {
                static_cast<double>(data_.toeplitz.values[static_cast<std::size_t>(y) + out.size() - 1 - x])};
        return;
    }
    const Cover row = rows_.cover(y);
    const double inner_row = 1.0 / rows_.span();
    const double inner_column = static_cast<double>(view_.width) / view_.columns.length();
    for (std::size_t x = 0; x < out.size(); ++x) {
        const Cover& column = columns_.pixels[x];
        double value = 0.0;
        for (std::int64_t r = row.first; r < row.first + row.count; ++r) {
            const std::int64_t nearest = r - column.first, farthest = nearest - column.count + 1;
            double across = column.first_weight * distance_sum(nearest, nearest + 1);
            if (column.count > 1) across += column.last_weight * distance_sum(farthest, farthest + 1);
            if (column.count > 2) across += inner_column * distance_sum(farthest + 1, nearest);
            value += weight_of(row, inner_row, r) * across;
        }
        out[x] = {value};
    }
}

}  // namespace posiscope
