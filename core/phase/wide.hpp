// wide.hpp — unsigned fixed-point numbers wide enough to define a frequency.
// 64 integer bits and 192 fraction bits: a frequency must be known to 2^-97 turns for a phase at position 2^31 to be
// within 2^-66. Has only the operations that frequencies need: +, −, ×, ÷ by a small integer, powers.
// Error    products are truncated to 2^-192; sums are exact.   Range  0 ≤ x < 2^64, not checked.
// MPFR, which tests compare with, is no library for a browser, and Boost.Multiprecision is 150 MB of headers.
#pragma once

#include <array>
#include <cstdint>

namespace posiscope {

__extension__ using Uint128 = unsigned __int128;

class Wide {
public:
    constexpr Wide() = default;
    // Most significant first: the integer part, then three fraction limbs.
    constexpr Wide(std::uint64_t integer, std::uint64_t f1, std::uint64_t f2, std::uint64_t f3)
        : limbs_{f3, f2, f1, integer} {}

    // Exact for 2^-139 ≤ x < 2^64; below that, bits past 2^-192 are truncated.
    static Wide from_double(double x);
    double to_double() const;

    // Limb k counts 2^(64k − 192): limb 3 is the integer part.
    constexpr std::uint64_t limb(int k) const { return limbs_[static_cast<std::size_t>(k)]; }

    friend Wide operator+(const Wide& a, const Wide& b);
    friend Wide operator-(const Wide& a, const Wide& b);  // a ≥ b
    friend Wide operator*(const Wide& a, const Wide& b);
    friend Wide operator/(const Wide& a, std::uint64_t divisor);
    friend bool operator<(const Wide& a, const Wide& b);

private:
    std::array<std::uint64_t, 4> limbs_{};
};

Wide power(Wide x, std::uint64_t exponent);

// base^(−1/n) for 1 < base ≤ 2^60, 1 ≤ n ≤ 2^20.  Error ≤ 2^-120.
Wide inverse_root(double base, std::uint64_t n);

// Convert between radians and turns.
extern const Wide kTwoPi;
extern const Wide kInverseTwoPi;

}  // namespace posiscope
