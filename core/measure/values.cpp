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
            if (n == trial.pad_row) continue;
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

// The numbers of a trial that are off, and what one change explains all of them.
class Misfits {
public:
    Misfits(const Trial& trial, const Precision& precision)
        : trial_(trial),
          table_(*trial.table),
          left_(table_),
          amplitude_(trial.turning.amplitude),
          allowed_(allowance(amplitude_, amplitude_, precision) + 1e-6 * amplitude_) {
        const Turning& turning = trial.turning;
        std::vector<std::int64_t> of_column(static_cast<std::size_t>(table_.columns), 0);
        std::int64_t last = -1;
        for (std::int64_t n = 0; n < table_.slices * table_.rows; ++n)
            for (std::int64_t c = 0; c < count_in(trial.form.cells); ++c) {
                const Cell& cell = cell_of(c);
                if (cell.pair < 0) continue;
                const double p = trial.positions.at(static_cast<std::size_t>(n), turning.axis_of(cell.pair));
                const double angle = p * turning.rate[static_cast<std::size_t>(cell.pair)];
                const double x = table_.at(n, c), w = turning.value(cell, angle);
                const double loose = std::min(2.0, std::abs(angle) * kAngleOff);
                const double own = allowance(w, amplitude_, precision) + amplitude_ * loose;
                ++numbers_;
                vague_ += loose > 0.3 ? 1 : 0;
                largest_ = std::max(largest_, std::abs(x));
                left_.add(n / table_.rows, n % table_.rows, c, x, w);
                if (std::abs(x - w) <= own) continue;
                all_.push_back({n / table_.rows, n % table_.rows, c, x, w, own});
                ++of_column[static_cast<std::size_t>(c)];
                if (n != last) rows_.push_back(last = n);
                zeros_ += x == 0.0 ? 1 : 0;
            }
        spend(100.0 * static_cast<double>(numbers_));
        for (std::int64_t c = 0; c < table_.columns; ++c)
            if (of_column[static_cast<std::size_t>(c)] > 0) columns_.push_back(c);
    }

    Values judged() {
        made_.fitting = 1.0 - static_cast<double>(all_.size()) / std::max(static_cast<double>(numbers_), 1.0);
        made_.off = left_.noise(), made_.largest = left_.largest;
        made_.slice = left_.slice, made_.row = left_.row, made_.column = left_.column;
        made_.noise = HUGE_VAL;
        // A tolerance that reaches the amplitude lets anything fit.
        if (4 * vague_ > numbers_) return made_.fitting = 0.0, std::move(made_);
        using Explains = bool (Misfits::*)();
        static constexpr Explains ways[] = {&Misfits::none,       &Misfits::negated,     &Misfits::added,
                                            &Misfits::clipped,    &Misfits::stepped,     &Misfits::dropped,
                                            &Misfits::times,      &Misfits::few_columns, &Misfits::few_rows,
                                            &Misfits::few_numbers};
        made_.explained = std::ranges::any_of(ways, [this](Explains way) { return (this->*way)(); });
        if (made_.explained || left_.without_pattern(0.1 * amplitude_)) made_.noise = left_.noise();
        return std::move(made_);
    }

private:
    const Cell& cell_of(std::int64_t column) const {
        return trial_.form.cells[static_cast<std::size_t>(column)];
    }
    bool say(const char* key, ProblemValues values) {
        made_.findings.push_back({{fmt::format("measured.{}", key), std::move(values)}, true});
        return true;
    }
    template <class Test>
    bool every(Test test) const {
        return std::ranges::all_of(all_, test);
    }
    // Within so many of the roundings that each number is allowed.
    bool close(const Misfit& m, double wanted, double roundings) const {
        return std::abs(m.found - wanted) <= roundings * (allowed_ + m.allowed);
    }
    std::int64_t count() const { return count_in(all_); }
    // Few of many, or one of some.
    static bool few(std::int64_t some, std::int64_t of) { return 8 * some <= of || (some == 1 && of >= 4); }

    bool none() { return all_.empty(); }
    bool negated() {
        if (!every([&](const Misfit& m) { return close(m, -m.wanted, 2.0); })) return false;
        const bool sines = every([&](const Misfit& m) { return cell_of(m.column).sine; });
        if (sines && trial_.form.both && 2 * count_in(columns_) >= trial_.form.pairs)
            return say("sine_negated", {});
        return say("columns_negated", {{"columns", listed(columns_)}, {"count", text(count_in(columns_))}});
    }
    bool added() {
        const double by = all_[0].found - all_[0].wanted;
        if (2 * count() <= numbers_ || !every([&](const Misfit& m) { return close(m, m.wanted + by, 4.0); }))
            return false;
        return say("added", {{"by", text(std::round(left_.mean() * 1e7) / 1e7)}});
    }
    // Cut off at one size.
    bool clipped() {
        return largest_ < amplitude_ - 4.0 * allowed_ &&
               numbers_ - count() >= std::max<std::int64_t>(8, numbers_ / 50) && every([&](const Misfit& m) {
                   return std::abs(std::abs(m.found) - largest_) <= allowed_ &&
                          std::abs(m.wanted) >= largest_ - allowed_;
               }) &&
               say("clipped", {{"at", text(largest_)}});
    }
    // Multiples of one step.
    bool stepped() {
        for (const double unit : {1.0 / 127.0, 1.0 / 128.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
            const auto whole = [&](double x) {
                return std::abs(x / unit - std::round(x / unit)) <= 1e-3 + allowed_ / unit;
            };
            if (allowed_ > 0.1 * unit || !std::ranges::all_of(table_.values, whole) ||
                !every(
                    [&](const Misfit& m) { return std::abs(m.found - m.wanted) <= 0.51 * unit + allowed_; }))
                continue;
            if (unit == 1.0 / 127.0 || unit == 1.0 / 128.0)
                return say("quantized", {{"steps", text(std::int64_t{unit == 1.0 / 127.0 ? 127 : 128})}});
            return say("decimals",
                       {{"count", text(std::int64_t{std::lround(-std::log10(unit))})}, {"unit", text(unit)}});
        }
        return false;
    }
    // Zeros, and the others larger by one factor.
    bool dropped() {
        if (zeros_ <= 8 || 2 * zeros_ >= numbers_) return false;
        double products = 0.0, squares = 0.0;
        for (const Misfit& m : all_)
            if (m.found != 0.0) products += m.found * m.wanted, squares += m.wanted * m.wanted;
        const double factor = squares > 0.0 ? products / squares : 1.0;
        return factor > 1.0 + 1e-4 && columns_.size() > 1 &&
               every([&](const Misfit& m) { return m.found == 0.0 || close(m, factor * m.wanted, 4.0); }) &&
               say("dropout",
                   {{"part", text(100.0 * static_cast<double>(zeros_) / static_cast<double>(numbers_))},
                    {"factor", text(factor)}});
    }
    bool times() {
        const double factor = left_.factor();
        return std::abs(factor - 1.0) > 1e-6 &&
               every([&](const Misfit& m) { return close(m, factor * m.wanted, 2.0); }) &&
               say("times", {{"factor", text(factor)}});
    }
    bool few_columns() {
        if (!few(count_in(columns_), table_.columns)) return false;
        for (const std::int64_t c : columns_) {
            bool zero = true, one = true;
            std::int64_t rows = 0;
            for (const Misfit& m : all_)
                if (m.column == c)
                    ++rows, zero = zero && m.found == 0.0,
                            one = one && std::abs(m.found - amplitude_) <= allowed_;
            say(zero  ? "column_zero"
                : one ? "column_one"
                      : "column_off",
                {{"column", text(c)}, {"count", text(rows)}, {"pair", text(cell_of(c).pair)}});
            if (made_.findings.size() >= kMostShown) break;
        }
        return true;
    }
    bool few_rows() {
        return few(count_in(rows_), table_.rows * table_.slices) &&
               say("rows_off", {{"rows", listed(rows_)}, {"count", text(count_in(rows_))}});
    }
    bool few_numbers() {
        return 100 * count() <= numbers_ && say("numbers_off", {{"count", text(count())},
                                                                {"all", text(numbers_)},
                                                                {"row", text(all_[0].row)},
                                                                {"column", text(all_[0].column)}});
    }

    const Trial& trial_;
    const Table& table_;
    Leftover left_;
    double amplitude_, allowed_, largest_ = 0.0;
    std::vector<Misfit> all_;
    std::vector<std::int64_t> columns_, rows_;  // with one
    std::int64_t numbers_ = 0, zeros_ = 0, vague_ = 0;
    Values made_;
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
                if (n == trial.pad_row) continue;
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

std::int64_t rows_before_others(const Trial& trial, const Precision& precision) {
    const Table& table = *trial.table;
    const Turning& turning = trial.turning;
    const auto fits = [&](std::int64_t row) {
        for (std::size_t c = 0; c < trial.form.cells.size(); ++c) {
            const Cell& cell = trial.form.cells[c];
            if (cell.pair < 0) continue;
            const double p = trial.positions.at(static_cast<std::size_t>(row), turning.axis_of(cell.pair));
            const double angle = p * turning.rate[static_cast<std::size_t>(cell.pair)];
            const double w = turning.value(cell, angle);
            if (!(std::abs(table.at(row, static_cast<std::int64_t>(c)) - w) <=
                  allowance(w, turning.amplitude, precision) +
                      turning.amplitude * std::abs(angle) * kAngleOff))
                return false;
        }
        return true;
    };
    std::int64_t first = 0, others = 0;
    while (first < table.rows && fits(first)) ++first;
    for (std::int64_t row = first; first > 0 && row < table.rows; ++row) others += fits(row) ? 0 : 1;
    return 4 * others >= 3 * (table.rows - first) ? first : table.rows;
}

void Leftover::add(std::int64_t s, std::int64_t r, std::int64_t c, double found, double wanted,
                   double turned) {
    const double off = found - wanted, square = off * off;
    ++count_;
    if (std::abs(off) > largest) largest = std::abs(off), slice = s, row = r, column = c;
    if (!std::isfinite(off)) {
        finite_ = false;
        return;
    }
    sum_ += off, square_ += square, size_ += wanted * wanted;
    along_ += off * wanted, across_ += off * turned;
    by_column_[static_cast<std::size_t>(c)] += square;
    by_slice_[static_cast<std::size_t>(s)] += square;
    by_part_[static_cast<std::size_t>(8 * r / rows_)] += square;
}

double Leftover::noise() const { return std::sqrt(square_ / std::max(count_, 1.0)); }
double Leftover::size() const { return std::sqrt(size_ / std::max(count_, 1.0)); }

bool Leftover::without_pattern(double most) const {
    // Few numbers are less even by chance.
    const auto even = [&](const std::vector<double>& parts, double times) {
        const auto count = static_cast<double>(parts.size()), each = count_ / count;
        times = std::max(times, 1.0 + 8.0 * std::sqrt(2.0 / each) + 8.0 / each);
        return std::ranges::all_of(parts, [&](double part) { return part <= times * square_ / count; });
    };
    const double chance = 8.0 * std::sqrt(square_) * size();
    return finite_ && noise() <= most && largest <= 8.0 * noise() && even(by_column_, 4.0) &&
           even(by_slice_, 3.0) && (rows_ < 16 || even(by_part_, 3.0)) &&
           std::abs(sum_) <= 6.0 * std::sqrt(square_) && std::abs(along_) <= chance &&
           std::abs(across_) <= chance;
}

Finding Leftover::said() const {
    return {{"measured.noise", {{"noise", few_digits(noise())}, {"largest", few_digits(largest)}}}, false};
}

Values judge_values(const Trial& trial, const Precision& precision) {
    return Misfits(trial, precision).judged();
}

}  // namespace posiscope::measuring
