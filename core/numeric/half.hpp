// half.hpp — the values of float16 and bfloat16, exactly.
#pragma once

#include "core/numeric/bits.hpp"

#include <cmath>
#include <cstdint>

namespace posiscope {

// IEEE 754 binary16.
inline double from_half(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 0x1f, fraction = bits & 0x3ff;
    const double magnitude = exponent == 0   ? std::ldexp(fraction, -24)
                             : exponent < 31 ? std::ldexp(1024 + fraction, exponent - 25)
                             : fraction == 0 ? HUGE_VAL
                                             : std::nan("");
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

// The upper half of a float32.
inline double from_bfloat(std::uint16_t bits) {
    return static_cast<double>(bits_as<float>(static_cast<std::uint32_t>(bits) << 16));
}

}  // namespace posiscope
