// real.hpp — MPFR numbers with 384 bits, written as arithmetic: the reference for core's mathematics.
#pragma once

#ifdef POSISCOPE_MPFR

#include "core/phase/wide.hpp"
#include "tests/web/mpfr/recorded.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <mpfr.h>

namespace posiscope {

class Real {
public:
    Real() : Real(0.0) {}
    Real(double x) {
        mpfr_init2(value_, kBits);
        mpfr_set_d(value_, x, MPFR_RNDN);
    }
    Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
    Real& operator=(const Real& other) {
        mpfr_set(value_, other.value_, MPFR_RNDN);
        return *this;
    }
    ~Real() { mpfr_clear(value_); }

    static Real integer(std::int64_t n) {
        Real r;
        mpfr_set_si(r.value_, n, MPFR_RNDN);
        return r;
    }
    static Real pi() {
        Real r;
        mpfr_const_pi(r.value_, MPFR_RNDN);
        return kept('P', r);
    }
    // Fixed point: `bits` counts 2^-scale.
    static Real fixed(Uint128 bits, int scale) {
        Real high = natural(static_cast<std::uint64_t>(bits >> 64)),
             low = natural(static_cast<std::uint64_t>(bits));
        mpfr_mul_2si(high.value_, high.value_, 64, MPFR_RNDN);
        mpfr_add(low.value_, low.value_, high.value_, MPFR_RNDN);
        mpfr_mul_2si(low.value_, low.value_, -scale, MPFR_RNDN);
        return low;
    }
    static Real wide(const Wide& w) {
        Real sum;
        for (int k = 0; k < 4; ++k) sum = sum + fixed(w.limb(k), 192 - 64 * k);
        return sum;
    }

    friend Real operator+(const Real& a, const Real& b) { return with(mpfr_add, a, b); }
    friend Real operator-(const Real& a, const Real& b) { return with(mpfr_sub, a, b); }
    friend Real operator*(const Real& a, const Real& b) { return with(mpfr_mul, a, b); }
    friend Real operator/(const Real& a, const Real& b) { return with(mpfr_div, a, b); }
    friend Real pow(const Real& a, const Real& b) { return kept('p', with(mpfr_pow, a, b), a, b); }
    friend Real sin(const Real& a) { return kept('s', with(mpfr_sin, a), a); }
    friend Real cos(const Real& a) { return kept('c', with(mpfr_cos, a), a); }

    double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

    // Less its nearest whole number: a difference of turns as the short way round.
    double modulo_one() const {
        Real whole;
        mpfr_rint(whole.value_, value_, MPFR_RNDN);
        return (*this - whole).to_double();
    }

private:
    static constexpr mpfr_prec_t kBits = 384;

    static Real natural(std::uint64_t n) {
        Real r;
        mpfr_set_ui(r.value_, n, MPFR_RNDN);
        return r;
    }
    template <class F>
    static Real with(F function, const Real& a) {
        Real r;
        function(r.value_, a.value_, MPFR_RNDN);
        return r;
    }
    template <class F>
    static Real with(F function, const Real& a, const Real& b) {
        Real r;
        function(r.value_, a.value_, b.value_, MPFR_RNDN);
        return r;
    }

#ifndef MPFR_VERSION_MAJOR
    // MPFR is what a native run has kept (tests/web/mpfr).
    template <class... Of>
    static Real kept(char, Real made, const Of&...) {
        return made;
    }
#else
    template <class... Of>
    static Real kept(char function, Real made, const Of&... of) {
        if (recorded::path() != nullptr)
            recorded::write({recorded::key_of(function, of.number()...), made.number()});
        return made;
    }
    recorded::Number number() const {
        recorded::Number n;
        if (mpfr_zero_p(value_) != 0) return n;
        n.sign = mpfr_sgn(value_) < 0 ? -1 : 1;
        n.exponent = static_cast<std::int32_t>(mpfr_get_exp(value_));
        static_assert(kBits == 8 * sizeof n.limbs);
        std::memcpy(n.limbs.data(), mpfr_custom_get_significand(value_), sizeof n.limbs);
        return n;
    }
#endif

    mpfr_t value_;
};

// |measured − exact| in units of the last place of a double as large as `exact`.
inline double ulps(double measured, const Real& exact) {
    const double nearest = std::abs(exact.to_double());
    const double unit = std::nextafter(nearest, INFINITY) - nearest;
    return std::abs((Real(measured) - exact).to_double()) / unit;
}

}  // namespace posiscope

#endif
