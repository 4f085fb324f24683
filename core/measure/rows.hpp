// rows.hpp — the position that each row of a table has, on each axis, read from its numbers.
// An angle gives p modulo 2π/ω; the slowest pair leaves few intervals of p, and each faster one cuts them.
// Range    whole positions from kFirstPosition to `last`.  Cost  O(pairs) a row that continues the one before, else some
//          thousand intervals a pair.
#pragma once

#include "core/measure/table.hpp"

#include <cmath>

namespace posiscope::measuring {

inline constexpr std::int64_t kFirstPosition = -40000;  // where 16-bit positions wrap to

// How the pairs of a table turn.
struct Turning {
    std::vector<double> rate;  // radians per position
    double amplitude = 1.0;
    std::vector<int> axis{};  // by pair; empty: all turn by one position
    int axes = 1;
    Narrowing narrowing{};
    std::vector<double> unscaled{};  // rates before divisors, for llama.cpp's arithmetic; empty: not known

    int axis_of(std::int64_t pair) const { return axis.empty() ? 0 : axis[static_cast<std::size_t>(pair)]; }
    // The number of a cell at an angle of its pair.
    double value(const Cell& cell, double angle) const {
        return amplitude * cell.sign * (cell.sine ? std::sin(angle) : std::cos(angle));
    }
};

struct Positions {
    int axes = 1;
    std::vector<double> values;  // [slices, rows, axes]; NaN: not read

    double at(std::size_t row, int axis) const {
        return values[row * static_cast<std::size_t>(axes) + static_cast<std::size_t>(axis)];
    }
};
// Rows 0, 1, 2 … in every slice.
Positions counted(const Table& table, int axes);

struct ReadingOptions {
    double noise = 0.0;      // of a number, beside its rounding
    double last = 1e7;       // the largest position
    bool whole = true;       // positions are whole numbers
    double relative = 3e-7;  // of an angle, by the arithmetic that made it
};
// Rows in which most pairs agree on a position get it.
Positions read_positions(const Table& table, const Form& form, const Turning& turning,
                         const Precision& precision, const ReadingOptions& options);
// The part of some rows, spread over the table, whose position can be read.
double readable(const Table& table, const Form& form, const Turning& turning, const Precision& precision,
                const ReadingOptions& options);

}  // namespace posiscope::measuring
