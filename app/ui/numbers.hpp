// numbers.hpp — numbers for reading: a true minus sign, thin spaces between thousands, powers of ten as powers. Copying a
// value gives all its digits instead.
#pragma once

#include "app/ui/scratch.hpp"

#include <cstdint>

namespace posiscope::ui {

inline constexpr double kLargestWhole = 1e15;  // from it on the digits of a double are no longer its own
inline constexpr double kRounding = 1e-9;      // below it a number is what float64 leaves of 0

std::string_view integer(Scratch& scratch, std::int64_t value);         // "10 000", "−3"
std::string_view signed_integer(Scratch& scratch, std::int64_t value);  // "+3", "−3", "0"
std::string_view fixed(Scratch& scratch, double value, int decimals);   // "−0.938347"
// `digits` significant digits: "0.3457", "60 611", "1.04×10⁻⁴".
std::string_view significant(Scratch& scratch, double value, int digits = 4);
// What roundings leave of an identity, as the power of ten that it is at most: "10⁻¹⁵". Whatever is below 10⁻¹⁵ of `scale`,
// the size of the numbers that the identity is about, is that: the bits below are the C library's and differ between
// systems. "0" only where `scale` is 0: exact by construction.
std::string_view residual(Scratch& scratch, double value, double scale = 1.0);
// The least power of ten that is not below |value|: "10⁻¹⁵"; "0" of 0.
std::string_view bound(Scratch& scratch, double value);
// As few digits as make it that number again: "0.25", "−10.81".
std::string_view shortest(Scratch& scratch, double value);
std::string_view subscript(Scratch& scratch, std::int64_t value);  // "₁₀"

}  // namespace posiscope::ui
