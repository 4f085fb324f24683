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
    bool fits = false;  // every number within the rounding of its type
};

// Of every number, or of 512 rows where there are more. Stops early, with
// `fits` false, where a number is off by more than `enough`.
Difference compare(const Matrix& matrix, const Arrangement& arrangement, Order order, const Waves& waves,
                   const Precision& precision, double enough);
Difference compare(std::span<const double> list, std::span<const double> wanted, const Precision& precision);

double rounded_position(double position, Rounding rounding);

}  // namespace posiscope::recognition
