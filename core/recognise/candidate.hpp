// candidate.hpp — a table that a dump may be: a spectrum, an arrangement of its
// columns, and a slip, all computed in full.
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
};

// Which function the first number of a pair is.
enum class Order { sine_cosine, cosine_sine };

struct Difference {
    double largest = 0.0;
    double square = 0.0;  // mean
    std::int64_t row = 0, column = 0;
    bool fits = false;                             // every number within the rounding of its type
    bool whole = true;                             // it did not stop early
    std::int64_t numbers = 0, misfits = 0;         // compared, and beyond rounding
    std::int64_t first_row = 0, first_column = 0;  // of the first misfit
};

inline constexpr double kDamaged = 0.01;      // a larger part of misfits is another table,
inline constexpr double kMostDamaged = 64.0;  // and so are more of them

// Of every number, or of 512 rows where there are more. Stops early, with `fits` false, where a number is off by more than
// `enough` and more of them are than damage explains.
Difference compare(const Matrix& matrix, const Arrangement& arrangement, Order order, const Waves& waves,
                   const Precision& precision, double enough);
Difference compare(std::span<const double> list, std::span<const double> wanted, const Precision& precision);

// By how much float32 arithmetic may be off in an angle, relative: it rounds the exponent, which counts ln b times, the power
// and its inverse, a slip's factor or square, and the product with the position.
double float32_angle(double rate);

// The rows that are compared: the first ones, then evenly spread to the last.
std::int64_t compared_rows(const Matrix& matrix);
std::int64_t compared_row(std::int64_t n, const Matrix& matrix);

double rounded_position(double position, Rounding rounding);

}  // namespace posiscope::recognition
