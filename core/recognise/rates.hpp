// rates.hpp — the angle per position that the columns of a dump follow,
// estimated from the dump alone.
#pragma once

#include "core/recognise/form.hpp"

namespace posiscope::recognition {

// Per pair, in radians per position; NaN where it cannot be told. Exact to
// about the precision of the values over the rows.
std::vector<double> rates_of(const Matrix& matrix, const Arrangement& arrangement);

// ω_i = s^(-1) b^(−i/h), fitted to them.
struct Geometric {
    double base = 0.0, divisor = 1.0;
};
std::optional<Geometric> fitted(std::span<const double> rates);

}  // namespace posiscope::recognition
