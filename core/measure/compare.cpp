#include "core/measure/compare.hpp"

#include "core/cost.hpp"
#include "core/measure/dumps.hpp"
#include "core/measure/show.hpp"
#include "core/measure/table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace posiscope::measuring {
namespace {

constexpr double kSingleUnit = 0x1p-23;     // of a float32 angle per position
constexpr std::int64_t kMostRowsAside = 8;  // rows

// Every matrix of a dump below one another.
struct Flat {
    std::int64_t rows = 0, columns = 0;
    std::span<const double> values;
    std::vector<std::int64_t> outer;  // the dimensions that the rows are

    double at(std::int64_t row, std::int64_t column) const {
        return values[static_cast<std::size_t>(row * columns + column)];
    }
    std::vector<std::int64_t> indices(std::int64_t row) const {
        std::vector<std::int64_t> made(outer.size());
        for (std::size_t i = outer.size(); i-- > 0; row /= outer[i]) made[i] = row % outer[i];
        return made;
    }
    // The largest that the row may have, whichever dimension counts positions.
    std::int64_t position(std::int64_t row) const {
        if (outer.size() == 1) return row;
        const auto each = indices(row);
        return *std::ranges::max_element(each);
    }
    std::string place(std::int64_t row) const {
        return outer.size() == 1 ? text(row) : fmt::format("[{}]", fmt::join(indices(row), ", "));
    }
};
std::optional<Flat> flat(const StoredTensor& dump) {
    std::vector<std::int64_t> shape = squeezed(dump);
    if (shape.size() < 2) return std::nullopt;
    const std::int64_t columns = shape.back();
    shape.pop_back();
    return Flat{static_cast<std::int64_t>(dump.values.size()) / columns, columns, dump.values,
                std::move(shape)};
}

// A matrix made of another one: the element for its row and column, with its sign.
struct Change {
    std::string_view name;  // dumps.NAME
    std::int64_t rows = 0, columns = 0;
    std::function<double(std::int64_t row, std::int64_t column)> value;
    ProblemValues values = {};
    double room = 1.0;  // roundings: sums have more
};

// Rows of one side of a grid that each row of another size is made of, and how much of each.
using Taps = std::vector<std::vector<std::pair<std::int64_t, double>>>;

// PyTorch's bicubic resize: kernel −3/4 and edges repeated; or antialiased, as PIL does it: −1/2, wider where it shrinks, edges cut.
Taps bicubic(std::int64_t from, std::int64_t to, double scale, bool antialias) {
    const double a = antialias ? -0.5 : -0.75, wide = antialias ? std::max(scale, 1.0) : 1.0;
    const auto kernel = [a](double x) {
        x = std::abs(x);
        return x < 1.0   ? ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
               : x < 2.0 ? (((x - 5.0) * x + 8.0) * x - 4.0) * a
                         : 0.0;
    };
    Taps made;
    for (std::int64_t i = 0; i < to; ++i) {
        const double centre = (static_cast<double>(i) + 0.5) * scale - 0.5;
        auto& taps = made.emplace_back();
        double sum = 0.0;
        for (auto j = static_cast<std::int64_t>(std::ceil(centre - 2.0 * wide));
             static_cast<double>(j) <= centre + 2.0 * wide; ++j) {
            if (antialias && (j < 0 || j >= from)) continue;
            const double weight = kernel((static_cast<double>(j) - centre) / wide);
            taps.emplace_back(std::clamp<std::int64_t>(j, 0, from - 1), weight), sum += weight;
        }
        for (auto& [at, weight] : taps) weight /= sum;
    }
    return made;
}

// A learned table of an image: behind the class token's row, if it has one, a square grid of patches that was resized.
void add_grids(std::vector<Change>& made, const Flat& a, std::int64_t others) {
    struct Way {
        std::string_view name;
        double more = 0.0;
        bool antialias = false;
    };
    static constexpr Way ways[] = {{"grid_resized"},
                                   {"grid_resized_antialiased", 0.0, true},
                                   {"grid_resized_more", 0.1}};  // DINO's scale: (size + 0.1) / side
    for (const std::int64_t extra : {0, 1}) {
        const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(a.rows - extra) + 0.5));
        const std::int64_t count = others - extra;
        if (side < 2 || side * side != a.rows - extra) continue;
        for (std::int64_t high = 2; 2 * high <= count; ++high) {
            const std::int64_t wide = count / high;
            if (wide * high != count || wide > 4 * high || high > 4 * wide) continue;
            for (const Way& way : ways) {
                const auto taps = [&](std::int64_t to) {
                    return bicubic(side, to, static_cast<double>(side) / (static_cast<double>(to) + way.more),
                                   way.antialias);
                };
                made.push_back(
                    {way.name,
                     others,
                     a.columns,
                     [&a, extra, side, wide, down = taps(high), across = taps(wide)](auto r, auto c) {
                         if (r < extra) return a.at(r, c);
                         double sum = 0.0;
                         for (const auto& [y, v] : down[static_cast<std::size_t>((r - extra) / wide)])
                             for (const auto& [x, w] : across[static_cast<std::size_t>((r - extra) % wide)])
                                 sum += v * w * a.at(extra + y * side + x, c);
                         return sum;
                     },
                     {{"from", fmt::format("{0} × {0}", side)}, {"to", fmt::format("{} × {}", high, wide)}},
                     8.0});
            }
        }
    }
}

// `others`: how many rows the other one has.
std::vector<Change> changes_of(const Flat& a, std::int64_t others) {
    const std::int64_t n = a.rows, d = a.columns, h = d / 2;
    std::vector<Change> made;
    const auto add = [&](std::string_view name, std::int64_t rows, std::int64_t columns, auto value) {
        made.push_back({name, rows, columns, std::move(value)});
    };
    add("same", n, d, [&a](auto r, auto c) { return a.at(r, c); });
    if (d % 2 == 0 && d >= 4) {
        add("to_halves", n, d, [&a, h](auto r, auto c) { return a.at(r, c < h ? 2 * c : 2 * (c - h) + 1); });
        add("to_pairs", n, d, [&a, h](auto r, auto c) { return a.at(r, c % 2 == 0 ? c / 2 : h + c / 2); });
        add("halves_swapped", n, d, [&a, h](auto r, auto c) { return a.at(r, c < h ? c + h : c - h); });
        add("pairs_swapped", n, d, [&a](auto r, auto c) { return a.at(r, c % 2 == 0 ? c + 1 : c - 1); });
        add("half_negated", n, d, [&a, h](auto r, auto c) { return c < h ? a.at(r, c) : -a.at(r, c); });
        add("odd_negated", n, d, [&a](auto r, auto c) { return c % 2 == 0 ? a.at(r, c) : -a.at(r, c); });
        add("first_half", n, h, [&a](auto r, auto c) { return a.at(r, c); });
        add("even_columns", n, h, [&a](auto r, auto c) { return a.at(r, 2 * c); });
    }
    add("twice_halves", n, 2 * d, [&a, d](auto r, auto c) { return a.at(r, c % d); });
    add("twice_pairs", n, 2 * d, [&a](auto r, auto c) { return a.at(r, c / 2); });
    add("negated", n, d, [&a](auto r, auto c) { return -a.at(r, c); });
    add("columns_reversed", n, d, [&a, d](auto r, auto c) { return a.at(r, d - 1 - c); });
    add("rows_reversed", n, d, [&a, n](auto r, auto c) { return a.at(n - 1 - r, c); });
    add("transposed", d, n, [&a](auto r, auto c) { return a.at(c, r); });
    if (others == n || n < 2 || others < 2) return made;
    if (others % n == 0) add("rows_repeated", others, d, [&a, n](auto r, auto c) { return a.at(r % n, c); });
    // A learned table of another length: from its first row to its last one, or by the middles of rows.
    const auto between = [&a, n](double at, std::int64_t c) {
        const double x = std::clamp(at, 0.0, static_cast<double>(n - 1));
        const std::int64_t r = std::min(static_cast<std::int64_t>(x), n - 2);
        const double part = x - static_cast<double>(r);
        return (1.0 - part) * a.at(r, c) + part * a.at(r + 1, c);
    };
    const double ends = static_cast<double>(n - 1) / static_cast<double>(others - 1),
                 middles = static_cast<double>(n) / static_cast<double>(others);
    add("rows_resized", others, d, [=](auto r, auto c) { return between(ends * static_cast<double>(r), c); });
    add("rows_resized_middles", others, d,
        [=](auto r, auto c) { return between(middles * (static_cast<double>(r) + 0.5) - 0.5, c); });
    add_grids(made, a, others);
    return made;
}

// The numbers that differ.
struct Parted {
    std::int64_t count = 0, all = 0, rows = 0;  // numbers, rows with one
    std::int64_t row = -1, column = 0;          // the first
    double largest = 0.0;
    std::int64_t worst_row = 0, worst_column = 0;
};

// Rows of `b` from `skipped` on against those of the change from 0 on. Stops at the first where only a yes or no is wanted.
Parted parted_from(const Change& change, const Flat& b, std::int64_t skipped, double factor, double allowed,
                   bool all) {
    Parted parted;
    const std::int64_t rows = std::min(change.rows, b.rows - skipped);
    for (std::int64_t row = 0; row < rows; ++row) {
        spend(static_cast<double>(b.columns));
        bool here = false;
        for (std::int64_t column = 0; column < b.columns; ++column) {
            const double x = factor * change.value(row, column), y = b.at(row + skipped, column);
            const double off = std::abs(x - y);
            ++parted.all;
            if (!(off <= parted.largest) && !(x == y))
                parted.largest = off, parted.worst_row = row + skipped, parted.worst_column = column;
            const double angle = kSingleUnit * static_cast<double>(b.position(row + skipped) + 1);
            if (off <= allowed + angle * std::max({1.0, std::abs(x), std::abs(y)}) || x == y ||
                (std::isnan(x) && std::isnan(y)))
                continue;
            if (!all) return Parted{1, 1, 1, row, column, off, row, column};
            if (parted.row < 0) parted.row = row + skipped, parted.column = column;
            ++parted.count;
            here = true;
        }
        parted.rows += here ? 1 : 0;
    }
    return parted;
}

std::string shown_shape(const StoredTensor& of) { return fmt::format("{}", fmt::join(of.shape, " × ")); }

// The first change that fits whole, but for none at all; and rows that are moved, or a constant factor.
std::optional<Problem> change_between(const std::vector<Change>& changes, const Flat& a, const Flat& b,
                                      double allowed) {
    for (const Change& change : changes)
        if (change.name != "same" && change.rows == b.rows && change.columns == b.columns &&
            parted_from(change, b, 0, 1.0, change.room * allowed, false).count == 0) {
            ProblemValues values = change.values;
            values.insert(values.end(), {{"first", text(a.rows)}, {"second", text(b.rows)}});
            return Problem{fmt::format("dumps.{}", change.name), std::move(values)};
        }
    const Change& same = changes.front();
    if (a.columns != b.columns) return std::nullopt;
    for (std::int64_t by = 1; by <= std::min(kMostRowsAside, std::min(a.rows, b.rows) - 2); ++by) {
        if (parted_from(same, b, by, 1.0, allowed, false).count == 0)
            return Problem{"dumps.rows_later", {{"rows", text(by)}}};
        const Change later{"", a.rows - by, a.columns, [&](auto r, auto c) { return a.at(r + by, c); }};
        if (parted_from(later, b, 0, 1.0, allowed, false).count == 0)
            return Problem{"dumps.rows_earlier", {{"rows", text(by)}}};
    }
    double products = 0.0, squares = 0.0;
    for (std::int64_t row = 0; row < std::min(a.rows, b.rows); ++row)
        for (std::int64_t column = 0; column < a.columns; ++column) {
            products += a.at(row, column) * b.at(row, column);
            squares += a.at(row, column) * a.at(row, column);
        }
    const double factor = products / squares;
    if (!std::isfinite(factor) || factor == 0.0 ||
        parted_from(same, b, 0, factor, allowed * std::max(1.0, std::abs(factor)), false).count > 0)
        return std::nullopt;
    return Problem{"dumps.times", {{"factor", fmt::format("{:.6g}", factor)}}};
}

}  // namespace

Result<DumpsCompared> compare_dumps(const StoredTensor& first, const StoredTensor& second) {
    const auto a = flat(first), b = flat(second);
    const auto shapes = [&] {
        return refuse("dumps.shapes", {{"first", shown_shape(first)}, {"second", shown_shape(second)}});
    };
    if (!a || !b) return shapes();
    double scale = 0.0;
    for (const StoredTensor* one : {&first, &second})
        for (const double value : one->values)
            if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
    const double allowed = (precision_of(first).relative + precision_of(second).relative) * scale;
    const std::vector<Change> changes = changes_of(*a, b->rows);
    DumpsCompared made;
    made.between = change_between(changes, *a, *b, allowed);
    if (a->columns != b->columns) {
        if (const auto back =
                made.between ? std::nullopt : change_between(changes_of(*b, a->rows), *b, *a, allowed))
            for (const auto& [key, inverse] : {std::pair("dumps.first_half", "dumps.is_first_half"),
                                               std::pair("dumps.even_columns", "dumps.is_even_columns")})
                if (back->key == key) made.between = Problem{inverse, {}};
        if (!made.between) return shapes();
        return made;
    }
    const Parted parted = parted_from(changes.front(), *b, 0, 1.0, allowed, true);
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    if (a->rows != b->rows)
        made.answers.push_back({"dumps.rows", {{"first", text(a->rows)}, {"second", text(b->rows)}}});
    if (parted.count == 0) {
        made.same = true;
        made.between.reset();
        made.answers.push_back(parted.largest == 0.0
                                   ? Problem{"dumps.equal", {}}
                                   : Problem{"dumps.near",
                                             {{"difference", fmt::format("{:.2g}", parted.largest)},
                                              {"row", b->place(parted.worst_row)},
                                              {"column", text(parted.worst_column)}}});
        return made;
    }
    made.answers.push_back({"dumps.first",
                            {{"row", b->place(parted.row)},
                             {"column", text(parted.column)},
                             {"first", number(a->at(parted.row, parted.column))},
                             {"second", number(b->at(parted.row, parted.column))}}});
    made.answers.push_back({"dumps.count",
                            {{"count", text(parted.count)},
                             {"all", text(parted.all)},
                             {"rows", text(parted.rows)},
                             {"difference", fmt::format("{:.2g}", parted.largest)},
                             {"row", b->place(parted.worst_row)},
                             {"column", text(parted.worst_column)}}});
    return made;
}

}  // namespace posiscope::measuring
