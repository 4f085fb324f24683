// candidate.hpp — a table that a dump may be: a spectrum, an arrangement of its
// columns, and slips, all computed in full.
#pragma once

#include "core/recognise/form.hpp"
#include "core/recognise/recognise.hpp"

namespace posiscope::recognition {

enum class Rounding { none, bfloat16, float16 };

// amplitude · cos or sin of rate_i · (position + offset).
struct Waves {
    std::vector<double> rate;
    double amplitude = 1.0;
    double offset = 0.0;
    double sine_sign = 1.0;
    Rounding positions = Rounding::none;
    std::vector<double> second_rate = {};  // of the second number of each pair; empty: the same
    Rounding angles = Rounding::none;
    bool raw = false;    // the angles, without cos and sin
    double loose = 0.0;  // of rates that were multiplied: what float32 had made of them before
};

// Which function the first number of a pair is.
enum class Order { sine_cosine, cosine_sine };

struct Difference {
    double largest = 0.0;
    double square = 0.0;  // mean
    std::int64_t row = 0, column = 0;
    bool fits = false;                             // every number within the rounding of its type
    bool whole = true;                             // it did not stop early
    bool bits = true, exact = true;                // each is the exact value rounded; within its rounding
    std::int64_t numbers = 0, misfits = 0;         // compared, and beyond rounding
    std::int64_t first_row = 0, first_column = 0;  // of the first misfit
};

inline constexpr double kDamaged = 0.01;      // a larger part of misfits is another table,
inline constexpr double kMostDamaged = 64.0;  // and so are more of them

enum class Rows { some, all };

// Of every number, or of 512 rows where there are more. Stops early, with `fits` false, where a number is off by more than
// `enough` and more of them are than damage explains.
Difference compare(const Matrix& matrix, const Arrangement& arrangement, Order order, const Waves& waves,
                   const Precision& precision, double enough, Rows rows = Rows::some);
Difference compare(std::span<const double> list, std::span<const double> wanted, const Precision& precision);

// The part of some numbers, from all over the matrix, that is beyond rounding.
double misfits_of_some(const Matrix& matrix, const Arrangement& arrangement, Order order, const Waves& waves,
                       const Precision& precision);

// One number of a candidate. float32 may round an angle to either of two neighbours: both are right.
struct Expected {
    double value = 0.0, other = 0.0;
    double allowed = 0.0;
    bool telling = true;  // float32 keeps enough of its angle

    double off(double number) const;
    bool fits(double number) const { return off(number) <= allowed; }
};
Expected expected(const Waves& waves, const Precision& precision, std::size_t pair, bool second, bool sine,
                  double position);

// The numbers of a row as a candidate has them: their columns.
class RowOf {
public:
    RowOf(const Arrangement& arrangement, Order order, const Waves& waves, const Precision& precision)
        : a_(arrangement), order_(order), waves_(waves), precision_(precision) {}

    // Calls take(column, expected) for each, until it returns false.
    template <class Take>
    bool each(double position, Take take) const {
        const bool sine_first = order_ == Order::sine_cosine;
        for (std::int64_t i = 0; i < a_.pairs; ++i) {
            const auto pair = static_cast<std::size_t>(i);
            if (!take(a_.first(i), expected(waves_, precision_, pair, false, sine_first, position)))
                return false;
            if (a_.single) continue;
            const bool sine = a_.duplicated == sine_first;
            if (!take(a_.second(i), expected(waves_, precision_, pair, !a_.duplicated, sine, position)))
                return false;
        }
        return true;
    }

private:
    const Arrangement& a_;
    Order order_;
    const Waves& waves_;
    const Precision& precision_;
};

// By how much float32 arithmetic may be off in an angle, relative: it rounds the exponent, which counts ln b times, the power
// and its inverse, a slip's factor or square, and the product with the position.
double float32_angle(double rate);

// The rows that are compared: the first ones, then evenly spread to the last.
std::int64_t compared_rows(const Matrix& matrix);
std::int64_t compared_row(std::int64_t n, const Matrix& matrix);

double rounded_position(double position, Rounding rounding);
// The position of a row.
double position_of(const Waves& waves, std::int64_t row);

}  // namespace posiscope::recognition
