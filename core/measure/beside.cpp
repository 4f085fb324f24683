#include "core/measure/beside.hpp"

#include "core/cost.hpp"
#include "core/measure/columns.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::measuring {
namespace {

constexpr std::int64_t kMostBands = 512;
constexpr std::int64_t kMostPoints = 1 << 20;  // that measure a frequency, of all pairs

// Differences of an angle, relative, and of the function, that an arithmetic brings.
double angle_off(Arithmetic arithmetic) {
    return arithmetic == Arithmetic::successive || arithmetic == Arithmetic::power ? 5e-6 : 5e-7;
}
double function_off(Arithmetic arithmetic) { return arithmetic == Arithmetic::fast ? 0x1p-21 : 0.0; }

double wanted_at(const Turning& turning, const Cell& cell, double position) {
    const Narrowing& narrow = turning.narrowing;
    const double rate = narrowed(turning.rate[static_cast<std::size_t>(cell.pair)], narrow.rates);
    return turning.value(cell, narrowed(narrowed(position, narrow.positions) * rate, narrow.angles));
}

double rounding_at(const Beside& all, const Turning& turning, const Cell& cell, double position,
                   double wanted) {
    const double angle = position * turning.rate[static_cast<std::size_t>(cell.pair)];
    return allowance(wanted, turning.amplitude, all.precision) +
           turning.amplitude *
               (function_off(all.arithmetic) + std::min(2.0, std::abs(angle) * angle_off(all.arithmetic)));
}

// A factor on the reference's numbers, of pairs whose frequency is the reference's.
double amplitude_of(const Beside& all, std::span<const PairMeasured> pairs) {
    double product = 0.0, square = 0.0;
    for (std::int64_t row = 0; row < all.rows(); ++row)
        for (std::size_t c = 0; c < all.form.cells.size(); ++c) {
            const Cell& cell = all.form.cells[c];
            if (cell.pair < 0) continue;
            const double p = all.positions.at(static_cast<std::size_t>(row), all.turning.axis_of(cell.pair));
            if (std::isnan(p)) continue;
            const PairMeasured& pair = pairs[static_cast<std::size_t>(cell.pair)];
            if (undecided(pair) || differs(pair)) continue;
            const double wanted = wanted_at(all.turning, cell, p);
            product += wanted * all.table.at(row, static_cast<std::int64_t>(c));
            square += wanted * wanted;
        }
    return square > 0.0 && std::isfinite(product) ? all.turning.amplitude * product / square : 0.0;
}

// The difference of a number in roundings; one that is no number is as far off as any.
double roundings(const Beside& all, const Turning& turning, std::int64_t row, std::size_t column) {
    const Cell& cell = all.form.cells[column];
    const double p = all.positions.at(static_cast<std::size_t>(row), turning.axis_of(cell.pair));
    const double wanted = wanted_at(turning, cell, p);
    const double found = all.table.at(row, static_cast<std::int64_t>(column));
    if (std::isnan(wanted) && std::isnan(found)) return 0.0;
    const double off = std::abs(found - wanted) / rounding_at(all, turning, cell, p, wanted);
    return std::isnan(off) ? (std::isnan(p) ? 0.0 : 1e9) : std::min(off, 1e9);
}

std::int64_t within(const Beside& all, const Turning& turning) {
    std::int64_t count = 0;
    spend(60.0 * static_cast<double>(all.numbers));
    for (std::int64_t row = 0; row < all.rows(); ++row)
        for (std::size_t c = 0; c < all.form.cells.size(); ++c)
            if (all.form.cells[c].pair >= 0 && roundings(all, turning, row, c) <= 1.0) ++count;
    return count;
}

// Rows that go on from the first position that was read, where the order of rows is at fault.
Positions wanted_positions(const Trial& trial, const Wanted& wanted) {
    const Table& table = *trial.table;
    const int axes = trial.turning.axes;
    if (ids_fit(wanted, table) ||
        trial.positions.values.size() != static_cast<std::size_t>(table.slices * table.rows * axes))
        return expected_rows(wanted, table, axes);
    const auto faults = judge_rows(trial, wanted);
    const bool read = std::ranges::none_of(trial.positions.values, [](double p) { return std::isnan(p); });
    if (const auto grid = grid_of_patches(trial.positions)) {
        Positions made{2, {}};
        for (std::size_t r = 0; r < trial.positions.values.size() / 2; ++r)
            made.values.insert(made.values.end(), {grid->at(r, 0), grid->at(r, 1)});
        return made;
    }
    if ((read && std::ranges::none_of(faults, &Finding::wrong)) || axes > 1) return trial.positions;
    Positions made = counted(table, axes);
    for (std::int64_t n = 0; n < table.slices * table.rows; ++n) {
        const double first = trial.positions.at(static_cast<std::size_t>(n - n % table.rows), 0);
        if (!std::isnan(first) && first >= 0.0) made.values[static_cast<std::size_t>(n)] += first;
    }
    return made;
}

// Every k-th row, so that a long table is measured as quickly as a short one.
Positions some_of(Positions positions, int axis, std::int64_t pairs) {
    const auto rows = static_cast<std::int64_t>(positions.values.size()) / positions.axes;
    const std::int64_t step = std::max<std::int64_t>(1, rows * pairs / kMostPoints);
    Positions made{1, {}};
    for (std::int64_t n = 0; n < rows; ++n)
        made.values.push_back(n % step == 0 || n == rows - 1 ? positions.at(static_cast<std::size_t>(n), axis)
                                                             : NAN);
    return made;
}

void measure_pairs(const Trial& trial, Measured& measured, std::span<const double> start, double rounding) {
    measured.pairs.assign(static_cast<std::size_t>(trial.form.pairs), {});
    for (int axis = 0; axis < trial.turning.axes; ++axis) {
        const auto waves =
            measured_at(*trial.table, trial.form, some_of(trial.positions, axis, trial.form.pairs),
                        trial.turning.amplitude, start, rounding);
        for (std::size_t i = 0; i < waves.size() && i < measured.pairs.size(); ++i)
            if (trial.turning.axis_of(static_cast<std::int64_t>(i)) == axis)
                measured.pairs[i] = {.rate = waves[i].rate,
                                     .off = 4.0 * waves[i].uncertainty + 1e-9,
                                     .amplitude = waves[i].amplitude,
                                     .residual = waves[i].residual};
    }
}

}  // namespace

NumberBeside Beside::at(std::int64_t row, std::int64_t pair) const {
    NumberBeside made;
    double most = -1.0;
    for (std::size_t c = 0; c < form.cells.size(); ++c) {
        const Cell& cell = form.cells[c];
        if (cell.pair != pair) continue;
        const double p = positions.at(static_cast<std::size_t>(row), turning.axis_of(pair));
        const double off = roundings(*this, turning, row, c);
        if (off <= most) continue;
        most = off;
        const double wanted = wanted_at(turning, cell, p);
        made = {static_cast<std::int64_t>(c), table.at(row, static_cast<std::int64_t>(c)), wanted,
                rounding_at(*this, turning, cell, p, wanted)};
    }
    return made;
}

// Also a column that is no wave: what is left beside the best one is as large as noise would leave.
bool undecided(const PairMeasured& pair) {
    constexpr double kMostLeft = 0.3;  // of the amplitude
    return !(pair.off <= 0.1 * std::max(std::abs(pair.rate), pair.expected)) ||
           !(pair.residual <= kMostLeft * std::abs(pair.amplitude));
}

bool differs(const PairMeasured& pair) {
    return pair.expected > 0.0 && !undecided(pair) &&
           std::abs(pair.rate - pair.expected) > pair.off + 1e-5 * pair.expected;
}

std::shared_ptr<const Beside> lay_beside(const Trial& trial, Measured& measured, const Wanted& wanted,
                                         const Precision& precision) {
    const Reference& reference = *trial.reference;
    auto made = std::make_shared<Beside>();
    made->table = *trial.table;
    made->form = trial.form;
    made->precision = precision;
    made->arithmetic = measured.arithmetic.value_or(Arithmetic::exact);
    made->words = reference.words;
    const auto pairs = static_cast<std::size_t>(trial.form.pairs);
    const bool whole = reference.frequency.size() == pairs;
    made->turning = whole ? reference.turning() : trial.turning;
    made->turning.narrowing = {};
    if (whole) made->unscaled = reference.unscaled;
    made->positions = wanted_positions(trial, wanted);
    if (trial.pad_row >= 0) made->positions.values[static_cast<std::size_t>(trial.pad_row)] = NAN;
    if (measured.pairs.size() != pairs)
        measure_pairs(trial, measured, trial.turning.rate, precision.half_unit(trial.turning.amplitude));
    for (std::size_t i = 0; i < pairs; ++i) {
        PairMeasured& pair = measured.pairs[i];
        pair.expected = made->turning.rate[i];
        pair.unscaled = whole ? made->unscaled[i] : 0.0;
        pair.ratio = pair.expected > 0.0 ? pair.rate / pair.expected : 0.0;
    }
    const std::int64_t rows = made->rows();
    made->bands = std::min(rows, kMostBands);
    made->by_pair.assign(pairs, 0.0);
    made->by_row.assign(static_cast<std::size_t>(rows), 0.0);
    made->map.assign(static_cast<std::size_t>(made->bands) * pairs, 0.0F);
    spend(60.0 * static_cast<double>(made->table.values.size()));
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < made->form.cells.size(); ++c) {
            const std::int64_t pair = made->form.cells[c].pair;
            if (pair < 0) continue;
            const double off = roundings(*made, made->turning, row, c);
            ++made->numbers;
            made->beyond += off > 1.0 ? 1 : 0;
            const auto i = static_cast<std::size_t>(pair);
            made->by_pair[i] = std::max(made->by_pair[i], off);
            made->by_row[static_cast<std::size_t>(row)] =
                std::max(made->by_row[static_cast<std::size_t>(row)], off);
            float& cell = made->map[static_cast<std::size_t>(row * made->bands / rows) * pairs + i];
            cell = std::max(cell, static_cast<float>(off));
        }
    spend(60.0 * static_cast<double>(made->numbers));
    made->amplitude = amplitude_of(*made, measured.pairs);
    const auto fit = [&](const char* name, const Turning& turning) {
        made->fits.push_back({name, within(*made, turning)});
    };
    if (whole && reference.scaled()) {
        Turning turning = made->turning;
        turning.rate = reference.unscaled;
        fit("unscaled", turning);
    }
    made->fits.push_back({"config", made->numbers - made->beyond});
    if (!trial.why.empty() && trial.turning.rate.size() == pairs) fit("explained", trial.turning);
    return made;
}

}  // namespace posiscope::measuring
