#include "core/recognise/candidate.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::recognition {
namespace {

constexpr std::int64_t kFirstRows = 64, kMoreRows = 448;

void note(Difference& made, double off, std::int64_t row, std::int64_t column) {
    made.square += off * off;
    if (off <= made.largest) return;
    made.largest = off, made.row = row, made.column = column;
}

}  // namespace

double float32_angle(double rate) { return 3.5e-7 + 6e-8 * std::abs(std::log(std::max(rate, 1e-30))); }

std::int64_t compared_rows(const Matrix& m) { return std::min(m.rows, kFirstRows + kMoreRows); }

std::int64_t compared_row(std::int64_t n, const Matrix& m) {
    if (m.rows <= kFirstRows + kMoreRows || n < kFirstRows) return n;
    return kFirstRows + (n - kFirstRows) * (m.rows - 1 - kFirstRows) / (kMoreRows - 1);
}

double rounded_position(double position, Rounding rounding) {
    if (rounding == Rounding::none || position == 0.0) return position;
    const int bits = rounding == Rounding::bfloat16 ? 8 : 11;
    int exponent = 0;
    const double fraction = std::frexp(position, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

Difference compare(const Matrix& m, const Arrangement& a, Order order, const Waves& waves,
                   const Precision& precision, double enough) {
    Difference made;
    made.fits = true;
    const std::int64_t count = compared_rows(m);
    const double spared = std::clamp(kDamaged * static_cast<double>(count * m.columns), 1.0, kMostDamaged);
    for (std::int64_t n = 0; n < count; ++n) {
        const std::int64_t row = compared_row(n, m);
        const double position = rounded_position(static_cast<double>(row) + waves.offset, waves.positions);
        for (std::int64_t i = 0; i < a.pairs; ++i) {
            const double rate = waves.rate[static_cast<std::size_t>(i)];
            const double angle = rate * position;
            const double sine = waves.sine_sign * waves.amplitude * std::sin(angle),
                         cosine = waves.amplitude * std::cos(angle);
            const bool sine_first = order == Order::sine_cosine;
            const double allowed =
                precision.absolute +
                waves.amplitude * (precision.relative + 2e-7 + float32_angle(rate) * std::abs(angle));
            const auto look = [&](std::int64_t column, double wanted) {
                const double off = std::abs(m.at(row, column) - wanted);
                note(made, off, row, column);
                ++made.numbers;
                if (off <= allowed) return;
                if (made.misfits++ == 0) made.first_row = row, made.first_column = column;
                made.fits = false;
            };
            look(a.first(i), sine_first ? sine : cosine);
            if (!a.single) look(a.second(i), a.duplicated == sine_first ? sine : cosine);
            if (!(made.largest <= enough) && static_cast<double>(made.misfits) > spared) {
                made.square /= static_cast<double>(made.numbers);
                made.whole = false;
                return made;
            }
        }
    }
    made.square /= static_cast<double>(made.numbers);
    return made;
}

Difference compare(std::span<const double> list, std::span<const double> wanted, const Precision& precision) {
    Difference made;
    if (list.size() != wanted.size()) return made.largest = HUGE_VAL, made;
    made.fits = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const double off = std::abs(list[i] - wanted[i]);
        note(made, off, static_cast<std::int64_t>(i), 0);
        if (!(off <= precision.absolute + std::abs(wanted[i]) * (1.02 * precision.relative + 1e-6)))
            made.fits = false;
    }
    made.square /= static_cast<double>(list.size());
    return made;
}

}  // namespace posiscope::recognition
