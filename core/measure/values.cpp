// values.cpp — the numbers of a table, compared with those it should have at the positions of its rows.
#include "core/cost.hpp"
#include "core/measure/measure.hpp"
#include "core/measure/show.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace posiscope::measuring {
namespace {

constexpr double kAngleOff = 5e-7;  // relative, of a float32 angle

// Samples of each pair of a trial.
std::vector<std::vector<std::pair<std::int64_t, Cell>>> cells_by_pair(const Form& form) {
    std::vector<std::vector<std::pair<std::int64_t, Cell>>> made(static_cast<std::size_t>(form.pairs));
    for (std::size_t c = 0; c < form.cells.size(); ++c)
        if (form.cells[c].pair >= 0)
            made[static_cast<std::size_t>(form.cells[c].pair)].emplace_back(static_cast<std::int64_t>(c),
                                                                            form.cells[c]);
    return made;
}

// llama.cpp's angles go from pair to pair, so the whole row is made at once.
bool prove_successive(Trial& trial, const Precision& precision) {
    const Turning& turning = trial.turning;
    const Table& table = *trial.table;
    if (turning.unscaled.size() != turning.rate.size() || turning.rate.size() < 2 || turning.axes > 1)
        return false;
    std::vector<double> divisors;
    for (std::size_t i = 0; i < turning.rate.size(); ++i) {
        if (!(turning.rate[i] > 0.0)) return false;
        divisors.push_back(turning.unscaled[i] / turning.rate[i]);
    }
    const double factor = turning.unscaled[1] / turning.unscaled[0];
    for (const int units : {0, 1, -1, 2, -2}) {
        double largest = 0.0;
        bool fits = true;
        for (std::int64_t n = 0; n < table.slices * table.rows && fits; ++n) {
            const double p = trial.positions.at(static_cast<std::size_t>(n), 0);
            const std::vector<double> angles = successive_angles(p, factor, units, divisors);
            for (std::size_t c = 0; c < trial.form.cells.size() && fits; ++c) {
                const Cell& cell = trial.form.cells[c];
                if (cell.pair < 0) continue;
                const double angle = angles[static_cast<std::size_t>(cell.pair)];
                const double wanted = turning.value(cell, angle);
                const double off = std::abs(table.at(n, static_cast<std::int64_t>(c)) - wanted);
                // CUDA's own cosine is as near as the fast one.
                fits = off <= allowance(wanted, turning.amplitude, precision) + 0x1p-22 * turning.amplitude;
                largest = std::max(largest, off);
            }
        }
        if (!fits) continue;
        trial.arithmetic = Arithmetic::successive;
        trial.largest = largest;
        return true;
    }
    return false;
}

// The rate of a pair as a power of the float32 ratio of two neighbours; 0 where they have none.
double power_rate(const Turning& turning, std::size_t pair) {
    if (turning.unscaled.size() != turning.rate.size() || turning.rate.size() < 2 || turning.axes > 1 ||
        !(turning.unscaled[pair] > 0.0))
        return 0.0;
    const auto ratio = static_cast<double>(static_cast<float>(turning.unscaled[1] / turning.unscaled[0]));
    return turning.unscaled[0] * std::pow(ratio, static_cast<double>(pair)) * turning.rate[pair] /
           turning.unscaled[pair];
}

struct Misfit {
    std::int64_t slice, row, column;
    double found, wanted, allowed;
};

}  // namespace

bool prove(Trial& trial, const Precision& precision) {
    const Table& table = *trial.table;
    trial.fits = false;
    trial.largest = 0.0;
    trial.arithmetic = Arithmetic::exact;
    for (const double p : trial.positions.values)
        if (std::isnan(p)) return false;
    const auto cells = cells_by_pair(trial.form);
    std::vector<Sample> samples;
    // A table that is another one is often so in its last pair.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < cells.size(); ++i) order.push_back(i);
    if (order.size() > 1) std::swap(order[0], order[order.size() / 2]);
    for (const std::size_t i : order) {
        const int axis = trial.turning.axis_of(static_cast<std::int64_t>(i));
        const auto fill = [&](std::int64_t from, std::int64_t to) {
            samples.clear();
            for (std::int64_t n = from; n < to; ++n) {
                const double p = trial.positions.at(static_cast<std::size_t>(n), axis);
                for (const auto& [column, cell] : cells[i])
                    samples.push_back({table.at(n, column), p, cell.sine, cell.sign});
            }
        };
        const auto proof = [&](std::int64_t rows) {
            fill(0, rows);
            spend(40.0 * static_cast<double>(samples.size()));
            const Turning& turning = trial.turning;
            Proved one = proved(samples, turning.rate[i], turning.amplitude, turning.narrowing, precision);
            if (const double rate = one.fits ? 0.0 : power_rate(turning, i); rate > 0.0) {
                one = proved(samples, rate, turning.amplitude, turning.narrowing, precision);
                one.arithmetic = std::max(one.arithmetic, Arithmetic::power);
            }
            return one;
        };
        const std::int64_t all = table.slices * table.rows;
        const Proved one = all > 256 && !proof(16).fits ? Proved{} : proof(all);  // a few rows first
        if (!one.fits)
            return !trial.turning.narrowing.any() && prove_successive(trial, precision) &&
                   (trial.fits = true);
        trial.arithmetic = std::max(trial.arithmetic, one.arithmetic);
        trial.largest = std::max(trial.largest, one.largest);
    }
    return trial.fits = true;
}

Values judge_values(const Trial& trial, const Precision& precision) {
    const Table& table = *trial.table;
    const Turning& turning = trial.turning;
    Values made;
    std::vector<Misfit> misfits;
    std::vector<std::int64_t> of_column(static_cast<std::size_t>(table.columns), 0);
    std::vector<std::int64_t> of_row(static_cast<std::size_t>(table.slices * table.rows), 0);
    double most_value = 0.0, sum = 0.0, square = 0.0, xw = 0.0, ww = 0.0;
    std::int64_t all = 0, zeros = 0;
    for (std::int64_t n = 0; n < table.slices * table.rows; ++n)
        for (std::size_t c = 0; c < trial.form.cells.size(); ++c) {
            const Cell& cell = trial.form.cells[c];
            if (cell.pair < 0) continue;
            const double p = trial.positions.at(static_cast<std::size_t>(n), turning.axis_of(cell.pair));
            const double x = table.at(n, static_cast<std::int64_t>(c));
            most_value = std::max(most_value, std::abs(x));
            const double angle = p * turning.rate[static_cast<std::size_t>(cell.pair)];
            const double w = turning.value(cell, angle);
            const double off = std::abs(x - w);
            ++all;
            if (off > made.largest)
                made.largest = off, made.slice = n / table.rows, made.row = n % table.rows,
                made.column = static_cast<std::int64_t>(c);
            if (std::isfinite(off)) sum += x - w, square += off * off, xw += x * w, ww += w * w;
            const double own = allowance(w, turning.amplitude, precision) +
                               turning.amplitude * std::min(2.0, std::abs(angle) * kAngleOff);
            if (off <= own) continue;
            misfits.push_back({n / table.rows, n % table.rows, static_cast<std::int64_t>(c), x, w, own});
            ++of_column[c];
            ++of_row[static_cast<std::size_t>(n)];
            zeros += x == 0.0 ? 1 : 0;
        }
    spend(100.0 * static_cast<double>(all));
    const auto count = static_cast<std::int64_t>(misfits.size());
    const auto numbers = static_cast<double>(all);
    made.fitting = 1.0 - static_cast<double>(count) / std::max(numbers, 1.0);
    made.noise = made.off = std::sqrt(square / std::max(numbers, 1.0));
    const auto add = [&](const char* key, ProblemValues values) {
        made.findings.push_back({{fmt::format("measured.{}", key), std::move(values)}, true});
        made.explained = true;
    };
    if (count == 0) {
        made.explained = true;
        return made;
    }
    const auto every = [&](auto test) { return std::ranges::all_of(misfits, test); };
    const double allowed =
        allowance(turning.amplitude, turning.amplitude, precision) + 1e-6 * turning.amplitude;
    // Few columns: another sign, or nothing.
    const auto few = [](std::int64_t some, std::int64_t of) {
        return 8 * some <= of || (some == 1 && of >= 4);
    };
    std::vector<std::int64_t> columns, rows;
    for (std::size_t c = 0; c < of_column.size(); ++c)
        if (of_column[c] > 0) columns.push_back(static_cast<std::int64_t>(c));
    for (std::size_t r = 0; r < of_row.size(); ++r)
        if (of_row[r] > 0) rows.push_back(static_cast<std::int64_t>(r));
    const auto rows_of = [&](std::int64_t column) { return of_column[static_cast<std::size_t>(column)]; };
    if (every([&](const Misfit& m) { return std::abs(m.found + m.wanted) <= 2.0 * (allowed + m.allowed); })) {
        const bool sines =
            every([&](const Misfit& m) { return trial.form.cells[static_cast<std::size_t>(m.column)].sine; });
        if (sines && trial.form.both && columns.size() * 2 >= static_cast<std::size_t>(trial.form.pairs))
            add("sine_negated", {});
        else
            add("columns_negated",
                {{"columns", listed(columns)}, {"count", text(static_cast<std::int64_t>(columns.size()))}});
        return made;
    }
    if (const double by = misfits[0].found - misfits[0].wanted;
        count * 2 > all && every([&](const Misfit& m) {
            return std::abs(m.found - m.wanted - by) <= 4.0 * (allowed + m.allowed);
        })) {
        const double mean = sum / numbers;
        add("added", {{"by", text(std::round(mean * 1e7) / 1e7)}});
        return made;
    }
    // Cut off at one size, or multiples of one step.
    if (most_value < turning.amplitude - 4.0 * allowed &&
        all - count >= std::max<std::int64_t>(8, all / 50) && every([&](const Misfit& m) {
            return std::abs(std::abs(m.found) - most_value) <= allowed &&
                   std::abs(m.wanted) >= most_value - allowed;
        })) {
        add("clipped", {{"at", text(most_value)}});
        return made;
    }
    for (const double step : {1.0 / 127.0, 1.0 / 128.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
        const double unit = step;
        const bool whole = std::ranges::all_of(table.values, [&](double x) {
            return std::abs(x / unit - std::round(x / unit)) <= 1e-3 + allowed / unit;
        });
        if (!whole || !every([&](const Misfit& m) {
                return std::abs(m.found / unit - std::round(m.found / unit)) <= 1e-3 + allowed / unit &&
                       std::abs(m.found - m.wanted) <= 0.51 * unit + allowed;
            }) ||
            allowed > 0.1 * unit)
            continue;
        const int decimals = static_cast<int>(std::lround(-std::log10(unit)));
        if (unit == 1.0 / 127.0 || unit == 1.0 / 128.0)
            add("quantized", {{"steps", text(std::int64_t{unit == 1.0 / 127.0 ? 127 : 128})}});
        else add("decimals", {{"count", std::to_string(decimals)}, {"unit", text(unit)}});
        return made;
    }
    if (zeros > 8 && zeros * 2 < all && (zeros == count || count > zeros)) {
        // Dropout: zeros, and the others larger by one factor.
        double products = 0.0, squares = 0.0;
        for (const Misfit& m : misfits)
            if (m.found != 0.0) products += m.found * m.wanted, squares += m.wanted * m.wanted;
        const double factor = squares > 0.0 ? products / squares : 1.0;
        if (factor > 1.0 + 1e-4 && columns.size() > 1 && every([&](const Misfit& m) {
                return m.found == 0.0 || std::abs(m.found - factor * m.wanted) <= 4.0 * (allowed + m.allowed);
            })) {
            add("dropout",
                {{"part", text(100.0 * static_cast<double>(zeros) / numbers)}, {"factor", text(factor)}});
            return made;
        }
    }
    if (const double factor = ww > 0.0 ? xw / ww : 1.0;
        std::abs(factor - 1.0) > 1e-6 && every([&](const Misfit& m) {
            return std::abs(m.found - factor * m.wanted) <= 2.0 * (allowed + m.allowed);
        })) {
        add("times", {{"factor", text(factor)}});
        return made;
    }
    if (few(static_cast<std::int64_t>(columns.size()), table.columns)) {
        for (const std::int64_t c : columns) {
            bool zero = true, one = true;
            for (const Misfit& m : misfits)
                if (m.column == c)
                    zero = zero && m.found == 0.0,
                    one = one && std::abs(m.found - turning.amplitude) <= allowed;
            const char* key = zero ? "column_zero" : one ? "column_one" : "column_off";
            made.findings.push_back({{fmt::format("measured.{}", key),
                                      {{"column", text(c)},
                                       {"count", text(rows_of(c))},
                                       {"pair", text(trial.form.cells[static_cast<std::size_t>(c)].pair)}}},
                                     true});
            if (made.findings.size() >= kMostShown) break;
        }
        made.explained = true;
        return made;
    }
    if (few(static_cast<std::int64_t>(rows.size()), table.rows * table.slices)) {
        add("rows_off", {{"rows", listed(rows)}, {"count", text(static_cast<std::int64_t>(rows.size()))}});
        return made;
    }
    if (static_cast<double>(count) <= 0.01 * numbers) {
        add("numbers_off", {{"count", text(count)},
                            {"all", text(all)},
                            {"row", text(misfits[0].row)},
                            {"column", text(misfits[0].column)}});
        return made;
    }
    // Noise has no pattern: every column and every part of the rows has as much of it.
    std::vector<double> by_column(static_cast<std::size_t>(table.columns), 0.0), by_part(8, 0.0);
    std::vector<double> part_count(8, 0.0);
    for (const Misfit& m : misfits) {
        const double off = (m.found - m.wanted) * (m.found - m.wanted);
        by_column[static_cast<std::size_t>(m.column)] += off;
        by_part[static_cast<std::size_t>(8 * (m.slice * table.rows + m.row) / (table.slices * table.rows))] +=
            off;
    }
    const double mean_column = square / static_cast<double>(std::max<std::int64_t>(table.columns, 1));
    const bool even =
        std::ranges::all_of(by_column, [&](double x) { return x <= 4.0 * mean_column; }) &&
        std::ranges::all_of(by_part, [&](double x) { return table.rows < 16 || x <= 3.0 * square / 8.0; });
    // It is as often above as below, and no part of the numbers themselves.
    const double chance = 6.0 * std::sqrt(square);
    const bool central = std::abs(sum) <= chance && std::abs(xw - ww) <= chance * turning.amplitude;
    if (!even || !central || made.noise > 0.1 * turning.amplitude || made.largest > 8.0 * made.noise)
        made.noise = HUGE_VAL;
    return made;
}

}  // namespace posiscope::measuring
