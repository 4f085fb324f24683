#include "core/recognise/candidate.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::recognition {
namespace {

constexpr std::int64_t kFirstRows = 64, kMoreRows = 448;
constexpr std::int64_t kTriedFirst = 48;  // numbers that say whether a candidate is worth all of them
constexpr double kUntelling = 0.1;        // of the amplitude: what float32 makes of a large angle
constexpr double kExact = 1e-15;          // of arithmetic in float64

void note(Difference& made, double off, std::int64_t row, std::int64_t column) {
    made.square += off * off;
    if (off <= made.largest) return;
    made.largest = off, made.row = row, made.column = column;
}

// Half a unit in the last place of a number of that type.
double half_unit(double value, const Precision& precision) {
    if (value == 0.0) return precision.absolute;
    int exponent = 0;
    std::frexp(value, &exponent);
    return std::max(precision.absolute, std::ldexp(precision.relative, exponent - 1));
}

}  // namespace

double float32_angle(double rate) { return 3.5e-7 + 6e-8 * std::abs(std::log(std::max(rate, 1e-30))); }

std::int64_t compared_rows(const Matrix& m) { return std::min(m.rows, kFirstRows + kMoreRows); }

std::int64_t compared_row(std::int64_t n, const Matrix& m) {
    if (m.rows <= kFirstRows + kMoreRows || n < kFirstRows) return n;
    return kFirstRows + (n - kFirstRows) * (m.rows - 1 - kFirstRows) / (kMoreRows - 1);
}

double rounded_position(double position, Rounding rounding) {
    if (rounding == Rounding::none || position == 0.0 || !std::isfinite(position)) return position;
    const int bits = rounding == Rounding::bfloat16 ? 8 : 11;
    int exponent = 0;
    const double fraction = std::frexp(position, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

double position_of(const Waves& waves, std::int64_t row) {
    return rounded_position(static_cast<double>(row) + waves.offset, waves.positions);
}

double Expected::off(double number) const {
    return std::min(std::abs(number - value), std::abs(number - other));
}

Expected expected(const Waves& waves, const Precision& precision, std::size_t pair, bool second, bool sine,
                  double position) {
    const double rate = second && !waves.second_rate.empty() ? waves.second_rate[pair] : waves.rate[pair];
    const double angle = rate * position, slack = (float32_angle(rate) + waves.loose) * std::abs(angle);
    const auto at = [&](double turned) {
        if (waves.raw) return waves.amplitude * turned;
        return waves.amplitude * (sine ? waves.sine_sign * std::sin(turned) : std::cos(turned));
    };
    Expected made;
    double left = waves.amplitude * slack;  // what rounding leaves of it
    if (waves.angles == Rounding::none) {
        made.value = made.other = at(angle);
    } else {
        const double low = rounded_position(angle - slack, waves.angles),
                     high = rounded_position(angle + slack, waves.angles);
        made.value = at(low);
        made.other = low == high ? made.value : at(high);
        left = 0.0;
    }
    const double size = std::max(waves.amplitude, waves.raw ? std::abs(made.value) : 0.0);
    made.allowed = precision.absolute + size * (precision.relative + 2e-7) + left;
    made.telling = waves.raw || left <= kUntelling * waves.amplitude;
    return made;
}

double misfits_of_some(const Matrix& m, const Arrangement& a, Order order, const Waves& waves,
                       const Precision& precision) {
    const bool sine_first = order == Order::sine_cosine;
    std::int64_t looked = 0, misfits = 0;
    for (std::int64_t n = 0; n < kTriedFirst; ++n) {
        // Spread over rows and pairs by two golden steps.
        const std::int64_t row = (n * 40503 + 17) % m.rows, pair = (n * 10007 + n / 7) % a.pairs;
        const double position = position_of(waves, row);
        const auto i = static_cast<std::size_t>(pair);
        const auto look = [&](std::int64_t column, bool second, bool sine) {
            const Expected one = expected(waves, precision, i, second, sine, position);
            if (!one.telling) return;
            ++looked;
            misfits += one.fits(m.at(row, column)) ? 0 : 1;
        };
        look(a.first(pair), false, sine_first);
        if (!a.single) look(a.second(pair), !a.duplicated, a.duplicated == sine_first);
    }
    return looked == 0 ? 1.0 : static_cast<double>(misfits) / static_cast<double>(looked);
}

Difference compare(const Matrix& m, const Arrangement& a, Order order, const Waves& waves,
                   const Precision& precision, double enough, Rows rows) {
    Difference made;
    const std::int64_t count = rows == Rows::all ? m.rows : compared_rows(m);
    const double spared = std::clamp(kDamaged * static_cast<double>(count * m.columns), 1.0, kMostDamaged);
    const RowOf row_of(a, order, waves, precision);
    std::int64_t telling = 0;
    for (std::int64_t n = 0; n < count; ++n) {
        const std::int64_t row = rows == Rows::all ? n : compared_row(n, m);
        const double position = position_of(waves, row);
        spend(20.0 * static_cast<double>(m.columns));
        const bool whole = row_of.each(position, [&](std::int64_t column, const Expected& one) {
            ++made.numbers;
            if (!one.telling) return true;
            ++telling;
            const double number = m.at(row, column), off = one.off(number);
            note(made, off, row, column);
            made.bits = made.bits && rounded_as(one.value, precision) == number;
            made.exact = made.exact &&
                         off <= 1.001 * half_unit(one.value, precision) + kExact * (1.0 + std::abs(position));
            if (off <= one.allowed) return true;
            if (made.misfits++ == 0) made.first_row = row, made.first_column = column;
            return made.largest <= enough || static_cast<double>(made.misfits) <= spared;
        });
        if (whole) continue;
        made.square /= static_cast<double>(std::max<std::int64_t>(1, telling));
        made.whole = made.bits = made.exact = false;
        return made;
    }
    made.fits = made.misfits == 0 && 20 * telling >= made.numbers;
    made.square /= static_cast<double>(std::max<std::int64_t>(1, telling));
    return made;
}

Difference compare(std::span<const double> list, std::span<const double> wanted, const Precision& precision) {
    Difference made;
    if (list.size() != wanted.size()) return made.largest = HUGE_VAL, made;
    made.numbers = static_cast<std::int64_t>(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const double off = std::abs(list[i] - wanted[i]);
        const auto row = static_cast<std::int64_t>(i);
        note(made, off, row, 0);
        made.bits = made.bits && rounded_as(wanted[i], precision) == list[i];
        made.exact = made.exact && off <= 1.001 * half_unit(wanted[i], precision) + kExact * wanted[i];
        if (off <= precision.absolute + std::abs(wanted[i]) * (1.02 * precision.relative + 1e-6)) continue;
        if (made.misfits++ == 0) made.first_row = row;
    }
    made.fits = made.misfits == 0;
    made.square /= static_cast<double>(list.size());
    return made;
}

}  // namespace posiscope::recognition
