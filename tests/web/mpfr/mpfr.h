// mpfr.h — as much of MPFR as real.hpp asks for, where its library is not (node): numbers of 384 bits, each result rounded
// to the nearest as MPFR rounds it. Sines, cosines, powers and π are those that MPFR itself gave (recorded.hpp).
#pragma once

#include "tests/web/mpfr/recorded.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <vector>

struct mpfr_number : posiscope::recorded::Number {};
using mpfr_t = mpfr_number[1];
using mpfr_ptr = mpfr_number*;
using mpfr_srcptr = const mpfr_number*;
using mpfr_prec_t = long;
enum mpfr_rnd_t { MPFR_RNDN };

namespace posiscope::judge {

using Digits = std::vector<std::uint32_t>;  // of 32 bits, the least first

inline int bits_of(const Digits& digits) {
    for (std::size_t i = digits.size(); i-- > 0;)
        if (digits[i] != 0) return static_cast<int>(32 * i) + 32 - std::countl_zero(digits[i]);
    return 0;
}
inline bool bit(const Digits& digits, int at) {
    return at >= 0 && (digits[static_cast<std::size_t>(at / 32)] >> (at % 32) & 1U) != 0;
}
// A whole number times 2^by; what falls out at the right is said.
inline Digits shifted(const Digits& from, int by, std::size_t size, bool* lost = nullptr) {
    Digits to(size, 0);
    const int bits = static_cast<int>(32 * from.size());
    const int words = by >= 0 ? by / 32 : -((-by + 31) / 32), rest = by - 32 * words;
    for (int i = 0; i < bits / 32; ++i) {
        const std::uint64_t both = std::uint64_t{from[static_cast<std::size_t>(i)]} << rest;
        for (const int half : {0, 1}) {
            const auto part = static_cast<std::uint32_t>(both >> (32 * half));
            const int at = i + words + half;
            if (at >= 0 && at < static_cast<int>(size)) to[static_cast<std::size_t>(at)] |= part;
            else if (part != 0 && lost != nullptr) *lost = true;
        }
    }
    return to;
}
inline void increment(Digits& digits) {
    for (std::uint32_t& digit : digits)
        if (++digit != 0) return;
}
// To the nearest number of so many bits, to the even one of two; `more`: there is more than `digits` say.
inline Digits rounded(Digits digits, int keep, bool more = false) {
    const int drop = bits_of(digits) - keep;
    if (drop <= 0) return digits;
    const bool half = bit(digits, drop - 1);
    for (int at = 0; at < drop - 1; ++at) more = more || bit(digits, at);
    digits.push_back(0);
    const bool odd = bit(digits, drop);
    digits = shifted(digits, -drop, digits.size());
    if (half && (more || odd)) increment(digits);
    return shifted(digits, drop, digits.size());
}
// digits × 2^exponent.
inline void set(mpfr_ptr to, int sign, const Digits& digits, int exponent, bool more = false) {
    const Digits all = rounded(digits, 384, more);
    const int bits = bits_of(all);
    *to = {};
    if (bits == 0) return;
    to->sign = sign;
    to->exponent = exponent + bits;
    const Digits made = shifted(all, 384 - bits, 12);
    std::copy(made.begin(), made.end(), to->limbs.begin());
}
inline Digits digits_of(mpfr_srcptr a) { return {a->limbs.begin(), a->limbs.end()}; }
inline bool less(const Digits& a, const Digits& b) {  // of one size
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}
inline void subtract(Digits& from, const Digits& what) {
    std::int64_t borrowed = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::int64_t left = std::int64_t{from[i]} - what[i] + borrowed;
        from[i] = static_cast<std::uint32_t>(left);
        borrowed = left >> 32;
    }
}
inline void add(Digits& to, const Digits& what) {
    std::uint64_t carried = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
        carried += std::uint64_t{to[i]} + what[i];
        to[i] = static_cast<std::uint32_t>(carried);
        carried >>= 32;
    }
}
inline void sum(mpfr_ptr to, mpfr_srcptr a, mpfr_srcptr b, int sign_of_b) {
    const mpfr_number second = [&] {
        mpfr_number n = *b;
        n.sign *= sign_of_b;
        return n;
    }();
    if (a->sign == 0 || second.sign == 0) {
        *to = a->sign == 0 ? second : *a;
        return;
    }
    const mpfr_number& large = a->exponent >= second.exponent ? *a : second;
    const mpfr_number& small = a->exponent >= second.exponent ? second : *a;
    // 480 bits more than the larger one has: what is smaller still cannot be told from 1 there.
    constexpr int kMore = 480;
    constexpr std::size_t kSize = 12 + kMore / 32 + 1;
    const int apart = large.exponent - small.exponent;
    Digits x = shifted(digits_of(&large), kMore, kSize);
    Digits y = apart <= kMore ? shifted(digits_of(&small), kMore - apart, kSize) : Digits(kSize, 0);
    if (apart > kMore) y[0] = 1;
    int sign = large.sign;
    if (large.sign == small.sign) add(x, y);
    else if (less(x, y)) std::swap(x, y), subtract(x, y), sign = small.sign;
    else subtract(x, y);
    set(to, sign, x, large.exponent - 384 - kMore);
}

inline const std::unordered_map<std::uint64_t, recorded::Number>& said() {
    static const auto all = [] {
        std::unordered_map<std::uint64_t, recorded::Number> entries;
        std::ifstream file(recorded::path() != nullptr ? recorded::path() : "", std::ios::binary);
        for (recorded::Entry entry; file.read(reinterpret_cast<char*>(&entry), sizeof entry);)
            entries.emplace(entry.key, entry.number);
        return entries;
    }();
    return all;
}
template <class... Of>
void replay(mpfr_ptr to, char function, const Of*... of) {
    const auto found = said().find(recorded::key_of(function, static_cast<const recorded::Number&>(*of)...));
    if (found == said().end()) throw std::out_of_range("what MPFR has not been asked natively");
    static_cast<recorded::Number&>(*to) = found->second;
}

}  // namespace posiscope::judge

inline void mpfr_init2(mpfr_ptr, mpfr_prec_t) {}
inline void mpfr_clear(mpfr_ptr) {}
inline void mpfr_set(mpfr_ptr to, mpfr_srcptr from, mpfr_rnd_t) { *to = *from; }
inline void mpfr_set_ui(mpfr_ptr to, std::uint64_t n, mpfr_rnd_t) {
    posiscope::judge::set(to, 1, {static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n >> 32)}, 0);
}
inline void mpfr_set_si(mpfr_ptr to, std::int64_t n, mpfr_rnd_t rounding) {
    mpfr_set_ui(to, n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n), rounding);
    if (n < 0) to->sign = -1;
}
inline void mpfr_set_d(mpfr_ptr to, double x, mpfr_rnd_t rounding) {
    int exponent = 0;
    const double part = std::frexp(x, &exponent);
    mpfr_set_si(to, static_cast<std::int64_t>(std::ldexp(part, 53)), rounding);
    if (to->sign != 0) to->exponent += exponent - 53;
}
inline double mpfr_get_d(mpfr_srcptr a, mpfr_rnd_t) {
    const auto digits = posiscope::judge::rounded(posiscope::judge::digits_of(a), 53);
    double x = 0.0;
    for (std::size_t i = 0; i < digits.size(); ++i)  // at most 53 bits in a row: each sum is exact
        x += std::ldexp(digits[i], static_cast<int>(32 * i) - 384);
    return a->sign * std::ldexp(x, a->exponent);
}
inline void mpfr_add(mpfr_ptr to, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t) {
    posiscope::judge::sum(to, a, b, 1);
}
inline void mpfr_sub(mpfr_ptr to, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t) {
    posiscope::judge::sum(to, a, b, -1);
}
inline void mpfr_mul(mpfr_ptr to, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t) {
    posiscope::judge::Digits product(24, 0);
    for (std::size_t i = 0; i < 12; ++i) {
        std::uint64_t carried = 0;
        for (std::size_t j = 0; j < 12; ++j) {
            carried += std::uint64_t{a->limbs[i]} * b->limbs[j] + product[i + j];
            product[i + j] = static_cast<std::uint32_t>(carried);
            carried >>= 32;
        }
        product[i + 12] = static_cast<std::uint32_t>(carried);
    }
    posiscope::judge::set(to, a->sign * b->sign, product, a->exponent + b->exponent - 768);
}
inline void mpfr_div(mpfr_ptr to, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t) {
    using posiscope::judge::Digits;
    if (b->sign == 0) throw std::domain_error("a division by zero");
    // Bit by bit: the quotient of 2^416 a by b, and whether something is left.
    Digits quotient(14, 0), rest(13, 0), divisor = posiscope::judge::digits_of(b);
    divisor.push_back(0);
    const Digits of = posiscope::judge::digits_of(a);
    for (int at = 384 + 416 - 1; at >= 0; --at) {
        rest = posiscope::judge::shifted(rest, 1, 13);
        if (at >= 416 && posiscope::judge::bit(of, at - 416)) rest[0] |= 1U;
        if (posiscope::judge::less(rest, divisor)) continue;
        posiscope::judge::subtract(rest, divisor);
        quotient[static_cast<std::size_t>(at / 32)] |= 1U << (at % 32);
    }
    const bool more = posiscope::judge::bits_of(rest) > 0;
    posiscope::judge::set(to, a->sign * b->sign, quotient, a->exponent - b->exponent - 416, more);
}
inline void mpfr_mul_2si(mpfr_ptr to, mpfr_srcptr a, long by, mpfr_rnd_t) {
    *to = *a;
    if (to->sign != 0) to->exponent += static_cast<std::int32_t>(by);
}
inline void mpfr_rint(mpfr_ptr to, mpfr_srcptr a, mpfr_rnd_t) {
    using posiscope::judge::digits_of;
    if (a->exponent > 0)
        return posiscope::judge::set(to, a->sign, posiscope::judge::rounded(digits_of(a), a->exponent),
                                     a->exponent - 384);
    // Below 1: 1 where it is more than a half, which is the first bit alone.
    const bool half =
        std::all_of(a->limbs.begin(), a->limbs.end() - 1, [](std::uint32_t limb) { return limb == 0; }) &&
        a->limbs.back() == 0x80000000U;
    mpfr_set_si(to, a->exponent == 0 && !half ? a->sign : 0, MPFR_RNDN);
}
inline void mpfr_const_pi(mpfr_ptr to, mpfr_rnd_t) { posiscope::judge::replay(to, 'P'); }
inline void mpfr_sin(mpfr_ptr to, mpfr_srcptr a, mpfr_rnd_t) { posiscope::judge::replay(to, 's', a); }
inline void mpfr_cos(mpfr_ptr to, mpfr_srcptr a, mpfr_rnd_t) { posiscope::judge::replay(to, 'c', a); }
inline void mpfr_pow(mpfr_ptr to, mpfr_srcptr a, mpfr_srcptr b, mpfr_rnd_t) {
    posiscope::judge::replay(to, 'p', a, b);
}
