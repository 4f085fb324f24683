#include "core/phase/phase.hpp"

#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

constexpr double kTurnToRadians = 2.0 * std::numbers::pi * 0x1p-64;

constexpr double kTurnToRadiansRest = 2.449293598294706e-16 * 0x1p-64;  // 2π − its double

struct Folded {
    unsigned quarter;   // the nearest quarter turn
    double angle;       // what remains, [−π/4, π/4]
    double rest = 0.0;  // and its rounding error
};

Folded fold(Turn turn) {
    const std::uint64_t eighth = std::uint64_t{1} << 61;
    const auto quarter = static_cast<unsigned>((turn.fraction + eighth) >> 62);
    const auto rest = static_cast<std::int64_t>(turn.fraction - (std::uint64_t{quarter} << 62));
    const auto most = static_cast<double>(rest);
    const double angle = most * kTurnToRadians;
    return {quarter, angle,
            std::fma(most, kTurnToRadians, -angle) + most * kTurnToRadiansRest +
                static_cast<double>(rest - static_cast<std::int64_t>(most)) * kTurnToRadians};
}

// The Taylor series at 0 up to a^17 and a^16: up to π/4 the terms left out are below 0.03 ulp. C libraries differ in the
// last bit of a sine; + and × do not, so a table is the same, bit by bit, on every system.
// sin(a + e) ≈ sin a + e (1 − a²/2), cos(a + e) ≈ cos a − e a: e is below half an ulp of a.
double sine_of_angle(double a, double e) {
    const double z = a * a;
    double sum = 1.0 / 355687428096000.0;
    sum = sum * z - 1.0 / 1307674368000.0;
    sum = sum * z + 1.0 / 6227020800.0;
    sum = sum * z - 1.0 / 39916800.0;
    sum = sum * z + 1.0 / 362880.0;
    sum = sum * z - 1.0 / 5040.0;
    sum = sum * z + 1.0 / 120.0;
    sum = sum * z - 1.0 / 6.0;
    return a + (a * (z * sum) + e * (1.0 - 0.5 * z));
}

double cosine_of_angle(double a, double e) {
    const double z = a * a;
    double sum = 1.0 / 20922789888000.0;
    sum = sum * z - 1.0 / 87178291200.0;
    sum = sum * z + 1.0 / 479001600.0;
    sum = sum * z - 1.0 / 3628800.0;
    sum = sum * z + 1.0 / 40320.0;
    sum = sum * z - 1.0 / 720.0;
    sum = sum * z + 1.0 / 24.0;
    const double most = 1.0 - 0.5 * z;  // and its rounding error, exactly
    return most + (((1.0 - most) - 0.5 * z) + (z * z * sum - e * a));
}

double sine_of_quarter(const Folded& f) {
    const bool even = (f.quarter & 1U) == 0;
    const double sine = even ? sine_of_angle(f.angle, f.rest) : cosine_of_angle(f.angle, f.rest);
    return (f.quarter & 2U) == 0 ? sine : -sine;
}

// A Turn has too few bits for the ratio of two small sines: this uses all 96.
double sine_of_96(Uint128 fraction) {
    const auto top =
        static_cast<std::uint32_t>((fraction + (Uint128{1} << 93)) >> 64);  // 2^-32 turns, an eighth added
    const unsigned quarter = top >> 30;
    const Uint128 folded = (fraction - (Uint128{quarter} << 94)) << 32;  // the sign bit to the top
    __extension__ using Int128 = __int128;
    return sine_of_quarter(
        {quarter, static_cast<double>(static_cast<Int128>(folded)) * (kTurnToRadians * 0x1p-64)});
}

}  // namespace

double Turn::turns() const {
    const double t = static_cast<double>(fraction) * 0x1p-64;
    return t < 1.0 ? t : 0.0;  // the last few fractions round up to a whole turn
}

double Turn::radians() const {
    return static_cast<double>(static_cast<std::int64_t>(fraction)) * kTurnToRadians;
}

double sin(Turn turn) { return sine_of_quarter(fold(turn)); }

double cos(Turn turn) {
    Folded f = fold(turn);
    ++f.quarter;
    return sine_of_quarter(f);
}

Step step_from_turns(const Wide& turns) {
    Uint128 high = (Uint128{turns.limb(2)} << 32) | (turns.limb(1) >> 32);
    if (((turns.limb(1) >> 31) & 1U) != 0) ++high;  // round; past the last bit is a whole turn
    return {static_cast<std::uint64_t>(high >> 32), static_cast<std::uint32_t>(high)};
}

Step step_from_radians(double radians) { return step_from_turns(Wide::from_double(radians) * kInverseTwoPi); }

Step operator*(Step step, std::int64_t count) {
    // Unsigned products wrap modulo 2^128, a multiple of 2^96, so negative counts are correct.
    return fraction(bits(step) * static_cast<Uint128>(count));
}

Turn rounded(Step step) { return {step.high + (step.low >> 31)}; }

Turn phase(Step step, std::int64_t position) { return rounded(step * position); }

double mean_factor(Step step, std::int64_t count) {
    const Uint128 half = bits(step) >> 1;
    if (half == 0) return 1.0;
    return sine_of_96(half * static_cast<Uint128>(count)) / (static_cast<double>(count) * sine_of_96(half));
}

Turn middle_phase(Step step, std::int64_t first, std::int64_t count) {
    return rounded(fraction((bits(step) >> 1) * static_cast<Uint128>(2 * first + count - 1)));
}

Step sum(Step a, Step b) { return fraction(bits(a) + bits(b)); }

Step difference(Step a, Step b) { return fraction(bits(a) - bits(b)); }

}  // namespace posiscope
