#include "core/encodings/table_means.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

// The cells that a pixel covers, clipped to 0 … end − 1: the first and the last may be covered only partly.
struct Covered {
    std::int64_t first = 0, count = 0;
    double first_part = 0.0, last_part = 0.0;  // of one cell
    double whole = 0.0;                        // in cells, partial ones included

    double part(std::int64_t cell) const {
        return cell == first ? first_part : cell == first + count - 1 ? last_part : 1.0;
    }
    bool operator==(const Covered&) const = default;
};

Covered covered(const PixelRange& range, int pixel, std::int64_t end) {
    const auto bound = [&](int i) {
        const double place = range.from + (range.to - range.from) * i / range.pixels;
        const double near = std::round(place);  // snaps back to a border that rounding has left
        const double exact = std::abs(place - near) < 1e-9 * std::max(1.0, std::abs(place)) ? near : place;
        return std::clamp(exact, -static_cast<double>(range.origin), static_cast<double>(end - range.origin));
    };
    const double low = bound(pixel), high = bound(pixel + 1);
    if (!(high > low)) return {};
    const double first = std::floor(low), last = std::ceil(high) - 1.0;
    Covered made;
    made.first = range.origin + static_cast<std::int64_t>(first);
    made.count = static_cast<std::int64_t>(last - first) + 1;
    made.first_part = made.count == 1 ? high - low : first + 1.0 - low;
    made.last_part = made.count == 1 ? high - low : high - last;
    made.whole = high - low;
    return made;
}

}  // namespace

TableMeans table_means(const Action& action, std::int64_t d_model, const PixelRange& rows,
                       const PixelRange& columns, double most_cells) {
    TableMeans made;
    made.values.resize(static_cast<std::size_t>(rows.pixels) * static_cast<std::size_t>(columns.pixels));
    const auto limit = static_cast<std::int64_t>(
        std::max(1.0, most_cells / (static_cast<double>(rows.pixels) * static_cast<double>(d_model))));
    std::vector<Covered> across;
    for (int x = 0; x < columns.pixels; ++x) across.push_back(covered(columns, x, d_model));

    std::vector<double> sums(static_cast<std::size_t>(d_model)), row(sums.size());
    Covered before;
    auto pixel = made.values.begin();
    for (int y = 0; y < rows.pixels; ++y, pixel += columns.pixels) {
        const Covered down = covered(rows, y, action.positions);
        if (down.count == 0) continue;
        // All pixel rows within one row of cells are equal.
        if (down.count == 1 && before.count == 1 && down.first == before.first) {
            std::copy_n(pixel - columns.pixels, columns.pixels, pixel);
            continue;
        }
        before = down;
        const std::int64_t taken = std::min(down.count, limit);
        made.sampled = made.sampled || taken < down.count;
        made.rows_a_pixel = std::max(made.rows_a_pixel, taken);
        std::fill(sums.begin(), sums.end(), 0.0);
        spend(2.0 * static_cast<double>(d_model));
        for (std::int64_t i = 0; i < taken; ++i) {
            spend(action.cost + 2.0 * static_cast<double>(d_model));
            const bool all = taken == down.count;
            const std::int64_t position = down.first + (all ? i : (2 * i + 1) * down.count / (2 * taken));
            const double weight = all ? down.part(position) / down.whole : 1.0 / static_cast<double>(taken);
            std::fill(row.begin(), row.end(), 0.0);
            action.add(position, row);
            for (std::size_t column = 0; column < row.size(); ++column) sums[column] += weight * row[column];
        }
        for (int x = 0; x < columns.pixels; ++x) {
            const Covered& over = across[static_cast<std::size_t>(x)];
            double mean = 0.0;
            for (std::int64_t column = over.first; column < over.first + over.count; ++column)
                mean += over.part(column) * sums[static_cast<std::size_t>(column)];
            pixel[x] = over.count == 0 ? 0.0F : static_cast<float>(mean / over.whole);
        }
    }
    return made;
}

}  // namespace posiscope
