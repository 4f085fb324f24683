#include "core/recognise/two.hpp"

#include "core/cost.hpp"
#include "core/recognise/form.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace posiscope {

using namespace recognition;

namespace {

constexpr double kMost = 0.9;               // of the numbers: the others may be damaged
constexpr double kFloat32 = 0x1p-23;        // of an angle per position
constexpr std::int64_t kMostRowsAside = 8;  // rows

bool nearly_all(std::int64_t good, std::int64_t all) {
    return static_cast<double>(good) >= kMost * static_cast<double>(all);
}

double rounding(const StoredTensor& a, const StoredTensor& b) {
    return precision_of(a).relative + precision_of(b).relative;
}

// ---- before and after rotation --------------------------------------------------------------------------------------

// Both as [heads, n, d], in either order of the first two.
struct Heads {
    std::int64_t heads = 1, rows = 0, columns = 0;
    bool rows_first = false;

    std::size_t at(std::int64_t head, std::int64_t row, std::int64_t column) const {
        const std::int64_t outer = rows_first ? row * heads + head : head * rows + row;
        return static_cast<std::size_t>(outer * columns + column);
    }
};

struct Pairing {
    std::int64_t pairs = 0;
    PairLayout layout = PairLayout::halves;

    std::int64_t first(std::int64_t i) const { return layout == PairLayout::halves ? i : 2 * i; }
    std::int64_t second(std::int64_t i) const { return layout == PairLayout::halves ? i + pairs : 2 * i + 1; }
};

// One past the last column that differs, made even.
std::int64_t rotated_columns(const StoredTensor& before, const StoredTensor& after, std::int64_t columns) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < before.values.size(); ++i)
        if (before.values[i] != after.values[i])
            last = std::max(last, static_cast<std::int64_t>(i) % columns + 1);
    return last + last % 2;
}

// The turns of every pair, where lengths stay and heads agree; empty where they do not.
std::vector<double> turns_of(const StoredTensor& before, const StoredTensor& after, const Heads& shape,
                             const Pairing& pairing, double off) {
    std::vector<double> turns;
    std::int64_t kept = 0, agreed = 0;
    const auto z = [&](const StoredTensor& of, std::int64_t head, std::int64_t row, std::int64_t i) {
        return std::complex(of.values[shape.at(head, row, pairing.first(i))],
                            of.values[shape.at(head, row, pairing.second(i))]);
    };
    for (std::int64_t row = 0; row < shape.rows; ++row) {
        spend(static_cast<double>(shape.heads * pairing.pairs));
        for (std::int64_t i = 0; i < pairing.pairs; ++i) {
            std::complex<double> sum;
            double square = 0.0;
            bool same = true;
            for (std::int64_t head = 0; head < shape.heads; ++head) {
                const auto a = z(before, head, row, i), b = z(after, head, row, i);
                same = same && std::abs(std::abs(a) - std::abs(b)) <= off * (std::abs(a) + std::abs(b));
                sum += b * std::conj(a);
                square += std::abs(a) * std::abs(b);
            }
            const double length = std::abs(sum);
            kept += same ? 1 : 0;
            agreed += length >= (1.0 - off) * square ? 1 : 0;
            const std::complex<double> turn = length > 0.0 ? sum / length : std::complex(1.0, 0.0);
            // Quotients have more digits than what they are of.
            turns.push_back(static_cast<double>(static_cast<float>(turn.real())));
            turns.push_back(static_cast<double>(static_cast<float>(turn.imag())));
        }
    }
    const std::int64_t all = shape.rows * pairing.pairs;
    // Rotated by their positions, each row is turned otherwise than the one before it.
    const auto row = static_cast<std::size_t>(2 * pairing.pairs);
    std::int64_t moved = 0;
    for (std::size_t at = row; at < turns.size(); at += row) {
        double most_moved = 0.0;
        for (std::size_t i = at; i < at + row; ++i)
            most_moved = std::max(most_moved, std::abs(turns[i] - turns[i - row]));
        moved += most_moved > 2.0 * off ? 1 : 0;
    }
    if (!nearly_all(kept, all) || !nearly_all(agreed, all) || !nearly_all(moved, shape.rows - 1) ||
        moved == 0)
        turns.clear();
    return turns;
}

// ---- the same from two programs -------------------------------------------------------------------------------------

// A matrix made of another one: the element for its row and column, with its sign.
struct Change {
    std::string_view name;  // dumps.NAME
    std::int64_t rows = 0, columns = 0;
    std::function<double(std::int64_t row, std::int64_t column)> value;
};

std::vector<Change> changes_of(const Matrix& a) {
    const std::int64_t n = a.rows, d = a.columns, h = d / 2;
    std::vector<Change> made;
    const auto add = [&](std::string_view name, std::int64_t rows, std::int64_t columns, auto value) {
        made.push_back({name, rows, columns, value});
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
    return made;
}

// Where numbers part.
struct Parted {
    std::int64_t count = 0, all = 0, rows = 0;  // numbers, rows with one
    std::int64_t row = -1, column = 0;          // the first
    double largest = 0.0;
    std::int64_t worst_row = 0, worst_column = 0;
};

// Rows of `b` from `skipped` on against those of the change from 0 on. Stops at the first where only a yes or no is wanted.
Parted parted_from(const Change& change, const Matrix& b, std::int64_t skipped, double factor, double allowed,
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
            const double angle = kFloat32 * static_cast<double>(row + skipped + 1);
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
std::optional<Problem> change_between(const std::vector<Change>& changes, const Matrix& a, const Matrix& b,
                                      double allowed) {
    for (const Change& change : changes)
        if (change.name != "same" && change.rows == b.rows && change.columns == b.columns &&
            parted_from(change, b, 0, 1.0, allowed, false).count == 0)
            return Problem{fmt::format("dumps.{}", change.name), {}};
    const Change& same = changes.front();
    if (a.columns != b.columns) return std::nullopt;
    for (std::int64_t by = 1; by <= std::min(kMostRowsAside, std::min(a.rows, b.rows) - 2); ++by) {
        if (parted_from(same, b, by, 1.0, allowed, false).count == 0)
            return Problem{"dumps.rows_later", {{"rows", std::to_string(by)}}};
        const Change later{"", a.rows - by, a.columns, [&](auto r, auto c) { return a.at(r + by, c); }};
        if (parted_from(later, b, 0, 1.0, allowed, false).count == 0)
            return Problem{"dumps.rows_earlier", {{"rows", std::to_string(by)}}};
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

std::optional<StoredTensor> joined_cache(const StoredTensor& a, const StoredTensor& b) {
    const auto shape = squeezed(a);
    if (shape != squeezed(b) || shape.size() != 2 || a.values.size() != b.values.size()) return std::nullopt;
    double mean = 0.0;
    const auto square = [&](std::size_t i) { return a.values[i] * a.values[i] + b.values[i] * b.values[i]; };
    for (std::size_t i = 0; i < a.values.size(); ++i)
        mean += square(i) / static_cast<double>(a.values.size());
    std::int64_t good = 0;
    const double allowed = 1e-4 + 4.0 * rounding(a, b);
    for (std::size_t i = 0; i < a.values.size(); ++i)
        good += std::abs(square(i) - mean) <= std::max(allowed, 0.02) * mean ? 1 : 0;
    if (!(mean > 0.0) || !nearly_all(good, static_cast<std::int64_t>(a.values.size()))) return std::nullopt;
    StoredTensor made{
        fmt::format("{}, {}", a.name, b.name), a.dtype, {2, shape[0], shape[1]}, a.values, false};
    made.values.insert(made.values.end(), b.values.begin(), b.values.end());
    return made;
}

std::optional<RotationFound> rotation_between(const StoredTensor& before, const StoredTensor& after) {
    const auto shape = squeezed(before);
    if (shape != squeezed(after) || before.values.size() != after.values.size() || shape.size() < 2 ||
        shape.size() > 3)
        return std::nullopt;
    const std::int64_t columns = shape.back(), rotated = rotated_columns(before, after, columns);
    if (columns % 2 != 0 || rotated < 2 || rotated > columns) return std::nullopt;
    const double off = 1e-5 + 2.0 * rounding(before, after);
    std::vector<Heads> shapes;
    if (shape.size() == 2) shapes = {{1, shape[0], columns, false}};
    else shapes = {{shape[0], shape[1], columns, false}, {shape[1], shape[0], columns, true}};
    for (const Heads& heads : shapes)
        for (const PairLayout layout : {PairLayout::halves, PairLayout::interleaved}) {
            const Pairing pairing{rotated / 2, layout};
            std::vector<double> turns = turns_of(before, after, heads, pairing, off);
            if (turns.empty()) continue;
            return RotationFound{{fmt::format("{} → {}", before.name, after.name),
                                  "float32",
                                  {heads.rows, pairing.pairs, 2},
                                  std::move(turns),
                                  false},
                                 layout};
        }
    return std::nullopt;
}

Result<DumpsCompared> compare_dumps(const StoredTensor& first, const StoredTensor& second) {
    const auto a = matrix_of(first), b = matrix_of(second);
    const auto shapes = [&] {
        return refuse("dumps.shapes", {{"first", shown_shape(first)}, {"second", shown_shape(second)}});
    };
    if (!a || !b) return shapes();
    double scale = 0.0;
    for (const StoredTensor* one : {&first, &second})
        for (const double value : one->values)
            if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
    const double allowed = rounding(first, second) * scale;
    const std::vector<Change> changes = changes_of(*a);
    DumpsCompared made;
    made.between = change_between(changes, *a, *b, allowed);
    if (a->columns != b->columns) {
        if (const auto back = made.between ? std::nullopt : change_between(changes_of(*b), *b, *a, allowed))
            for (const auto& [key, inverse] : {std::pair("dumps.first_half", "dumps.is_first_half"),
                                               std::pair("dumps.even_columns", "dumps.is_even_columns")})
                if (back->key == key) made.between = Problem{inverse, {}};
        if (!made.between) return shapes();
        return made;
    }
    const Parted parted = parted_from(changes.front(), *b, 0, 1.0, allowed, true);
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    if (a->rows != b->rows)
        made.answers.push_back(
            {"dumps.rows", {{"first", std::to_string(a->rows)}, {"second", std::to_string(b->rows)}}});
    if (parted.count == 0) {
        made.same = true;
        made.between.reset();
        made.answers.push_back(parted.largest == 0.0
                                   ? Problem{"dumps.equal", {}}
                                   : Problem{"dumps.near",
                                             {{"difference", fmt::format("{:.2g}", parted.largest)},
                                              {"row", std::to_string(parted.worst_row)},
                                              {"column", std::to_string(parted.worst_column)}}});
        return made;
    }
    made.answers.push_back({"dumps.first",
                            {{"row", std::to_string(parted.row)},
                             {"column", std::to_string(parted.column)},
                             {"first", number(a->at(parted.row, parted.column))},
                             {"second", number(b->at(parted.row, parted.column))}}});
    made.answers.push_back({"dumps.count",
                            {{"count", std::to_string(parted.count)},
                             {"all", std::to_string(parted.all)},
                             {"rows", std::to_string(parted.rows)},
                             {"difference", fmt::format("{:.2g}", parted.largest)},
                             {"row", std::to_string(parted.worst_row)},
                             {"column", std::to_string(parted.worst_column)}}});
    return made;
}

}  // namespace posiscope
