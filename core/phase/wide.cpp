#include "core/phase/wide.hpp"

#include <cmath>

namespace posiscope {

const Wide kTwoPi{6, 0x487ed5110b4611a6ULL, 0x2633145c06e0e689ULL, 0x48127044533e63a0ULL};
const Wide kInverseTwoPi{0, 0x28be60db9391054aULL, 0x7f09d5f47d4d3770ULL, 0x36d8a5664f10e410ULL};

Wide Wide::from_double(double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);                            // x = fraction · 2^exponent
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));  // exact
    const int shift = exponent - 53 + 192;  // the mantissa's lowest bit, counted from 2^-192
    Wide result;
    for (int bit = 0; bit < 53; ++bit) {
        const int place = bit + shift;
        if (((mantissa >> bit) & 1U) == 0 || place < 0 || place > 255) continue;
        result.limbs_[static_cast<std::size_t>(place / 64)] |= std::uint64_t{1} << (place % 64);
    }
    return result;
}

double Wide::to_double() const {
    double sum = 0.0;  // smallest first, so that small terms are not lost
    for (int k = 0; k < 4; ++k) sum += std::ldexp(static_cast<double>(limb(k)), 64 * k - 192);
    return sum;
}

Wide operator+(const Wide& a, const Wide& b) {
    Wide sum;
    Uint128 carry = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        carry += Uint128{a.limbs_[k]} + b.limbs_[k];
        sum.limbs_[k] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
    }
    return sum;
}

Wide operator-(const Wide& a, const Wide& b) {
    Wide difference;
    std::uint64_t borrow = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        const Uint128 taken = Uint128{b.limbs_[k]} + borrow;
        borrow = a.limbs_[k] < taken ? 1 : 0;
        difference.limbs_[k] = static_cast<std::uint64_t>(Uint128{a.limbs_[k]} - taken);
    }
    return difference;
}

Wide operator*(const Wide& a, const Wide& b) {
    std::array<std::uint64_t, 8> product{};
    for (std::size_t i = 0; i < 4; ++i) {
        std::uint64_t carry = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            const Uint128 term = Uint128{a.limbs_[i]} * b.limbs_[j] + product[i + j] + carry;
            product[i + j] = static_cast<std::uint64_t>(term);
            carry = static_cast<std::uint64_t>(term >> 64);
        }
        product[i + 4] = carry;
    }
    return {product[6], product[5], product[4], product[3]};
}

Wide operator/(const Wide& a, std::uint64_t divisor) {
    Wide quotient;
    Uint128 rest = 0;
    for (std::size_t k = 4; k-- > 0;) {
        rest = (rest << 64) | a.limbs_[k];
        quotient.limbs_[k] = static_cast<std::uint64_t>(rest / divisor);
        rest %= divisor;
    }
    return quotient;
}

bool operator<(const Wide& a, const Wide& b) {
    for (std::size_t k = 4; k-- > 0;)
        if (a.limbs_[k] != b.limbs_[k]) return a.limbs_[k] < b.limbs_[k];
    return false;
}

Wide power(Wide x, std::uint64_t exponent) {
    Wide result{1, 0, 0, 0};
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1U) != 0) result = result * x;
        x = x * x;
    }
    return result;
}

Wide inverse_root(double base, std::uint64_t n) {
    // Newton on r^n = 1/base: r ← r + r (1 − base r^n) / n. The start, a double, is within 2^-52; the relative
    // error goes e → n e²/2, so four steps reach the last bit for every n in range.
    const Wide one{1, 0, 0, 0};
    const Wide wide_base = Wide::from_double(base);
    Wide root = Wide::from_double(std::pow(base, -1.0 / static_cast<double>(n)));
    for (int step = 0; step < 4; ++step) {
        const Wide product = wide_base * power(root, n);
        root = product < one ? root + root * (one - product) / n : root - root * (product - one) / n;
    }
    return root;
}

}  // namespace posiscope
