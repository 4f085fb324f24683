// numbers.hpp — numbers for reading: a true minus sign, thin spaces between thousands, powers of ten as powers. Copying a
// value gives all its digits instead.
#pragma once

#include "app/ui/scratch.hpp"

#include <cstdint>

namespace posiscope::ui {

std::string_view integer(Scratch& scratch, std::int64_t value);         // "10 000", "−3"
std::string_view signed_integer(Scratch& scratch, std::int64_t value);  // "+3", "−3", "0"
std::string_view fixed(Scratch& scratch, double value, int decimals);   // "−0.938347"
// `digits` significant digits: "0.3457", "60 611", "1.04×10⁻⁴".
std::string_view significant(Scratch& scratch, double value, int digits = 4);
// Residuals, one digit: "3×10⁻¹³", "0".
std::string_view residual(Scratch& scratch, double value);
// The power of ten that an error stays below: "10⁻¹⁵"; it does not depend on the last bits, which platforms differ in.
std::string_view bound(Scratch& scratch, double value);
// As few digits as make it that number again: "0.25", "−10.81".
std::string_view shortest(Scratch& scratch, double value);
std::string_view subscript(Scratch& scratch, std::int64_t value);  // "₁₀"

}  // namespace posiscope::ui
