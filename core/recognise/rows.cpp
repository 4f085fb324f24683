#include "core/recognise/rows.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace posiscope::recognition {
namespace {

constexpr std::int64_t kMostHeldRows = 16384, kLeastHeldRows = 8;
constexpr std::int64_t kLeastPairs = 4;  // fewer fit too many positions
constexpr std::int64_t kNowhere = -1000000;
constexpr std::int64_t kSampled = 10, kSampledFit = 6;  // rows that say whether all are worth it
constexpr std::int64_t kFirstColumns = 5;               // of these, spread over the row, all but one fit
constexpr std::int64_t kLastHeld = 4096;                // position that any row may hold
constexpr std::size_t kMostDetails = 4, kMostRanges = 6;
constexpr double kMostOther = 0.5;  // rows or columns
constexpr double kUnitsOfNumber = 50.0;

std::string ranges(const std::vector<std::int64_t>& sorted) {
    std::string text;
    std::size_t count = 0;
    for (std::size_t first = 0; first < sorted.size();) {
        std::size_t last = first;
        while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
        if (++count > kMostRanges) return text + ", …";
        if (!text.empty()) text += ", ";
        text +=
            first == last ? std::to_string(sorted[first]) : fmt::format("{}–{}", sorted[first], sorted[last]);
        first = last + 1;
    }
    return text;
}

// The numbers 0 … n − 1 that are not among them.
std::vector<std::int64_t> others(const std::vector<std::int64_t>& sorted, std::int64_t n) {
    std::vector<std::int64_t> made;
    std::size_t at = 0;
    for (std::int64_t i = 0; i < n; ++i)
        if (at < sorted.size() && sorted[at] == i) ++at;
        else made.push_back(i);
    return made;
}

class Holding {
public:
    Holding(const Matrix& m, const Arrangement& a, Order order, const Waves& waves,
            const Precision& precision)
        : m_(m), a_(a), order_(order), waves_(waves), precision_(precision) {
        // Pairs from all over the row, so that another position fails at once.
        for (std::int64_t i = 0; i < a.pairs; ++i) pairs_.push_back(i);
        std::stable_sort(pairs_.begin(), pairs_.end(), [&](std::int64_t x, std::int64_t y) {
            return (x * 7) % 8 < (y * 7) % 8;  // every eighth first, which begins with the fastest
        });
    }

    std::int64_t columns() const { return a_.single ? a_.pairs : 2 * a_.pairs; }
    std::int64_t spared() const { return std::max<std::int64_t>(1, columns() / 10); }

    // Calls take(column, off, fits) for each number of a row at a position, until it returns false.
    template <class Take>
    bool each(std::int64_t row, std::int64_t position, Take take) const {
        const bool sine_first = order_ == Order::sine_cosine;
        const auto p = static_cast<double>(position);
        for (const std::int64_t i : pairs_) {
            const auto pair = static_cast<std::size_t>(i);
            const auto look = [&](std::int64_t column, bool second, bool sine) {
                const Expected one = expected(waves_, precision_, pair, second, sine, p);
                const double off = one.telling ? one.off(m_.at(row, column)) : 0.0;
                return take(column, off, off <= one.allowed);
            };
            if (!look(a_.first(i), false, sine_first)) return false;
            if (!a_.single && !look(a_.second(i), !a_.duplicated, a_.duplicated == sine_first)) return false;
        }
        return true;
    }

    bool holds(std::int64_t row, std::int64_t position) const {
        std::int64_t looked = 0, off = 0;
        const bool good = each(row, position, [&](std::int64_t, double, bool fits) {
            ++looked;
            off += fits ? 0 : 1;
            return off <= (looked <= kFirstColumns ? 1 : spared());
        });
        spend(kUnitsOfNumber * static_cast<double>(looked));
        return good;
    }

    // Those near what is expected first.
    std::int64_t position_of(std::int64_t row, std::int64_t before) const {
        for (const std::int64_t likely : {row, before + 1, before, before - 1, m_.rows - 1 - row})
            if (likely >= 0 && holds(row, likely)) return likely;
        const std::int64_t last = std::min(kLastHeld, 8 * m_.rows);
        for (std::int64_t position = 0; position <= last; ++position)
            if (holds(row, position)) return position;
        for (std::int64_t position = -1; position >= -8; --position)
            if (holds(row, position)) return position;
        return kNowhere;
    }

private:
    const Matrix& m_;
    const Arrangement& a_;
    Order order_;
    const Waves& waves_;
    const Precision& precision_;
    std::vector<std::int64_t> pairs_;
};

// How the positions follow the rows: row + shift, but for some rows.
struct Pattern {
    std::vector<Problem> slips;
    std::int64_t start = 0;
    std::vector<std::int64_t> wanted;  // of each row
};

std::int64_t most_usual(const std::map<std::int64_t, std::int64_t>& counts) {
    return std::max_element(counts.begin(), counts.end(),
                            [](const auto& x, const auto& y) { return x.second < y.second; })
        ->first;
}

std::optional<Pattern> pattern_of(const std::vector<std::int64_t>& held) {
    const auto n = static_cast<std::int64_t>(held.size());
    const auto at = [&](std::int64_t row) { return held[static_cast<std::size_t>(row)]; };
    std::map<std::int64_t, std::int64_t> shifts, sums, values;
    for (std::int64_t row = 0; row < n; ++row)
        if (at(row) != kNowhere) ++shifts[at(row) - row], ++sums[at(row) + row], ++values[at(row)];
    if (shifts.empty()) return std::nullopt;
    const auto made = [&](std::vector<Problem> slips, std::int64_t start, auto position) {
        Pattern pattern{std::move(slips), start, {}};
        for (std::int64_t row = 0; row < n; ++row) pattern.wanted.push_back(position(row));
        return pattern;
    };
    const auto agree = [&](const Pattern& pattern) {
        std::int64_t count = 0;
        for (std::size_t row = 0; row < held.size(); ++row) count += held[row] == pattern.wanted[row] ? 1 : 0;
        return count;
    };
    std::vector<Pattern> all;
    const std::int64_t shift = most_usual(shifts), sum = most_usual(sums), value = most_usual(values);
    {
        std::vector<Problem> slips;
        if (shift == 1 || shift == 2)
            slips.push_back({shift == 1 ? "slip.offset_one" : "slip.offset_two", {}});
        if (shift == -1) slips.push_back({"slip.offset_minus", {}});
        if (shift < -1) slips.push_back({"slip.offset_back", {{"count", std::to_string(-shift)}}});
        all.push_back(made(std::move(slips), std::max<std::int64_t>(shift > 2 ? shift : 0, 0),
                           [&](std::int64_t row) { return row + shift; }));
    }
    if (sum == n - 1)
        all.push_back(
            made({{"slip.positions_reversed", {}}}, 0, [&](std::int64_t row) { return sum - row; }));
    if (values.size() <= 2)
        all.push_back(made({{"slip.positions_stuck", {{"row", "0"}, {"position", std::to_string(value)}}}}, 0,
                           [&](std::int64_t) { return value; }));
    // Counting up to a row, then no more.
    if (value > 0 && value < n - 1 && values[value] > 1)
        all.push_back(made(
            {{"slip.positions_stuck", {{"row", std::to_string(value)}, {"position", std::to_string(value)}}}},
            0, [&](std::int64_t row) { return std::min(row, value); }));
    // Held at one position, then counting from 0.
    if (shift < 0 && -shift < n && (at(0) == 0 || at(0) == 1))
        all.push_back(made(
            {{"slip.left_padding", {{"count", std::to_string(-shift)}, {"position", std::to_string(at(0))}}}},
            0, [&](std::int64_t row) { return row < -shift ? at(0) : row + shift; }));
    for (const Rounding to : {Rounding::bfloat16, Rounding::float16})
        all.push_back(
            made({{to == Rounding::bfloat16 ? "slip.bfloat16_positions" : "slip.float16_positions", {}}}, 0,
                 [&](std::int64_t row) {
                     return static_cast<std::int64_t>(rounded_position(static_cast<double>(row), to));
                 }));
    // The first of those that most rows agree with.
    return *std::max_element(all.begin(), all.end(),
                             [&](const Pattern& x, const Pattern& y) { return agree(x) < agree(y); });
}

bool all_zero(const Matrix& m, std::int64_t row) {
    for (std::int64_t column = 0; column < m.columns; ++column)
        if (m.at(row, column) != 0.0) return false;
    return true;
}

bool same_columns(const Matrix& m, std::int64_t x, std::int64_t y) {
    for (std::int64_t row = 0; row < m.rows; ++row)
        if (m.at(row, x) != m.at(row, y)) return false;
    return true;
}

std::optional<Problem> detail_of_column(const Matrix& m, std::int64_t column) {
    bool zero = true;
    for (std::int64_t row = 0; row < m.rows && zero; ++row) zero = m.at(row, column) == 0.0;
    if (zero) return Problem{"recognised.column_zero", {{"column", std::to_string(column)}}};
    for (std::int64_t other = 0; other < m.columns; ++other)
        if (other != column && same_columns(m, column, other))
            return Problem{"recognised.column_same",
                           {{"column", std::to_string(column)}, {"other", std::to_string(other)}}};
    return std::nullopt;
}

}  // namespace

std::optional<RowsHeld> what_rows_hold(const Matrix& m, const Arrangement& a, Order order, const Waves& waves,
                                       const Precision& precision) {
    if (m.rows < kLeastHeldRows || m.rows > kMostHeldRows || a.pairs < kLeastPairs) return std::nullopt;
    const Holding holding(m, a, order, waves, precision);
    std::int64_t fit = 0;
    for (std::int64_t n = 0; n < kSampled && fit + kSampled - n >= kSampledFit; ++n) {
        const std::int64_t row = (2 * n + 1) * m.rows / (2 * kSampled);
        fit += holding.position_of(row, row) != kNowhere ? 1 : 0;
        if (n == 1 && fit == 0) return std::nullopt;
    }
    if (fit < kSampledFit) return std::nullopt;
    std::vector<std::int64_t> held;
    for (std::int64_t row = 0; row < m.rows; ++row)
        held.push_back(
            holding.position_of(row, held.empty() || held.back() == kNowhere ? row - 1 : held.back()));
    auto pattern = pattern_of(held);
    if (!pattern) return std::nullopt;

    // Which rows and columns do not fit it.
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < held.size(); ++row)
        if (held[row] != pattern->wanted[row]) rows.push_back(static_cast<std::int64_t>(row));
    const auto good_rows = m.rows - static_cast<std::int64_t>(rows.size());
    if (static_cast<double>(rows.size()) > kMostOther * static_cast<double>(m.rows)) return std::nullopt;
    std::vector<std::int64_t> off(static_cast<std::size_t>(m.columns), 0);
    const auto each_good = [&](auto take) {
        std::size_t next = 0;
        for (std::int64_t row = 0; row < m.rows; ++row) {
            if (next < rows.size() && rows[next] == row) {
                ++next;
                continue;
            }
            spend(kUnitsOfNumber * static_cast<double>(holding.columns()));
            holding.each(row, pattern->wanted[static_cast<std::size_t>(row)],
                         [&](std::int64_t column, double difference, bool fits) {
                             take(row, column, difference, fits);
                             return true;
                         });
        }
    };
    each_good([&](std::int64_t, std::int64_t column, double, bool fits) {
        off[static_cast<std::size_t>(column)] += fits ? 0 : 1;
    });
    std::vector<std::int64_t> columns;
    for (std::int64_t column = 0; column < m.columns; ++column)
        if (4 * off[static_cast<std::size_t>(column)] > good_rows) columns.push_back(column);
    RowsHeld made;
    made.start = pattern->start;
    made.off.whole = true;
    std::int64_t cells = 0;
    each_good([&](std::int64_t row, std::int64_t column, double difference, bool fits) {
        ++made.off.numbers;
        if (fits && difference > made.off.largest)
            made.off.largest = difference, made.off.row = row, made.off.column = column;
        if (fits || std::binary_search(columns.begin(), columns.end(), column)) return;
        if (cells++ == 0) made.off.first_row = row, made.off.first_column = column;
    });
    const double most = std::min(kMostDamaged, kDamaged * static_cast<double>(made.off.numbers));
    if (static_cast<double>(cells) > std::max(1.0, most)) return std::nullopt;

    made.slips = std::move(pattern->slips);
    if (!rows.empty())
        made.slips.push_back({"slip.rows",
                              {{"count", std::to_string(rows.size())},
                               {"rows", ranges(rows)},
                               {"matching", ranges(others(rows, m.rows))}}});
    for (const std::int64_t row : rows) {
        if (made.details.size() == kMostDetails) break;
        const std::int64_t position = held[static_cast<std::size_t>(row)];
        if (all_zero(m, row)) made.details.push_back({"recognised.row_zero", {{"row", std::to_string(row)}}});
        else if (position != kNowhere)
            made.details.push_back(
                {"recognised.row_holds",
                 {{"row", std::to_string(row)},
                  {"position", std::to_string(position)},
                  {"wanted", std::to_string(pattern->wanted[static_cast<std::size_t>(row)])}}});
    }
    if (!columns.empty())
        made.slips.push_back({"slip.columns",
                              {{"count", std::to_string(columns.size())},
                               {"columns", ranges(columns)},
                               {"matching", ranges(others(columns, m.columns))}}});
    for (const std::int64_t column : columns)
        if (auto detail = detail_of_column(m, column); detail && made.details.size() < 2 * kMostDetails)
            made.details.push_back(std::move(*detail));
    if (cells > 0)
        made.slips.push_back({"slip.damaged",
                              {{"count", std::to_string(cells)},
                               {"all", std::to_string(made.off.numbers)},
                               {"row", std::to_string(made.off.first_row)},
                               {"column", std::to_string(made.off.first_column)}}});
    if (made.slips.empty()) return std::nullopt;
    made.unlikely =
        static_cast<int>(4.0 * static_cast<double>(rows.size()) / static_cast<double>(m.rows)) +
        static_cast<int>(8.0 * static_cast<double>(columns.size()) / static_cast<double>(m.columns));

    made.off.fits = true;
    return made;
}

}  // namespace posiscope::recognition
