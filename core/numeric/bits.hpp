// bits.hpp — the bits of a value as another type of the same size: std::bit_cast, which libc++ has had only since 14.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace posiscope {

template <class To, class From>
constexpr To bits_as(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From));
    static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
    return __builtin_bit_cast(To, from);
}

// The values of float16 and bfloat16, exactly.
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
