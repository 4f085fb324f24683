// rounding.hpp — the roundings that a number of a dump went through: its type's, and those of the arithmetic that made it.
// Range    binary types bfloat16, float16, float32, float64; text with so many digits after the point.
#pragma once

#include "core/formats/tensor.hpp"

#include <span>
#include <string_view>

namespace posiscope::measuring {

// Half a unit in the last place of numbers about 1, of the coarsest type that holds all values.
struct Precision {
    std::string_view name;
    double relative = 0.0, absolute = 0.0;

    // Half a unit in the last place of a number of this size.
    double half_unit(double value) const;
};
Precision precision_of(const StoredTensor& dump);

enum class Narrow { none, bfloat16, float16 };
std::string_view name_of(Narrow type);
double narrowed(double value, Narrow type);  // float16 overflows to infinity past 65 504

// Steps of an arithmetic that were done in a narrower type than float32.
struct Narrowing {
    Narrow rates = Narrow::none, positions = Narrow::none, angles = Narrow::none;

    bool any() const { return rates != Narrow::none || positions != Narrow::none || angles != Narrow::none; }
    bool operator==(const Narrowing&) const = default;
};

// Arithmetics that programs make a table with, the most exact first.
enum class Arithmetic {
    exact,       // float64, rounded once
    single,      // float32: p times a float32 frequency
    quotient,    // float32: p divided by a float32 power
    power,       // llama.cpp on graphics cards: `single`, of powers of a float32 b^(−2/d)
    successive,  // llama.cpp: the angle of pair i + 1 is that of pair i times b^(−2/d), in float32
    fast,        // as `single`, within 2^-21 of the function: cosines of graphics cards
};
std::string_view name_of(Arithmetic arithmetic);

// One number of a pair in a table, with the position that its row has.
struct Sample {
    double value = 0.0, position = 0.0;
    bool sine = false;
    double sign = 1.0;  // of the number
};

// The arithmetic in which every sample is amplitude · cos or sin of position · rate; nothing where there is none. A float32
// rate may be off by some units in its last place: libraries differ in pow and exp.
struct Proved {
    bool fits = false;
    Arithmetic arithmetic = Arithmetic::exact;
    double largest = 0.0;  // difference from it
};
Proved proved(std::span<const Sample> samples, double rate, double amplitude, const Narrowing& narrowing,
              const Precision& precision);

// The angles of llama.cpp at a position, for pairs of these rates: `rates` are b^(−2i/d), each divided by divisors[i].
// `units` moves the factor of float32 by so many units in its last place.
std::vector<double> successive_angles(double position, double factor, int units,
                                      std::span<const double> divisors);

// How far a number may be off the exact one by rounding to its type and by float32 of cos and sin alone.
double allowance(double value, double amplitude, const Precision& precision);

}  // namespace posiscope::measuring
