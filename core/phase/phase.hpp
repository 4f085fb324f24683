// phase.hpp — exact phase: position × frequency, modulo one turn.
// A frequency is stored as the fraction of a turn that one position adds, in fixed point. Multiplying it by an integer
// position wraps around at whole turns, so position 2^31 − 1 is as exact as position 1.
// Units    Step 2^-96 turns, Turn 2^-64 turns.  Range  |position| < 2^32.
// Error    a Step is within 2^-97 turns, so a phase is within 2^-66 turns before it is rounded to a Turn.
// Source   tested against MPFR at 256 bits.
#pragma once

#include "core/phase/wide.hpp"

#include <cstdint>

namespace posiscope {

struct Step {
    std::uint64_t high = 0;
    std::uint32_t low = 0;

    bool operator==(const Step&) const = default;
};

struct Turn {
    std::uint64_t fraction = 0;

    bool operator==(const Turn&) const = default;
    double turns() const;    // [0, 1)
    double radians() const;  // [−π, π)
};

double sin(Turn turn);  // ≤ 1.2 ulp, exact at quarter turns
double cos(Turn turn);

Step step_from_turns(const Wide& turns);  // modulo one turn
Step step_from_radians(double radians);   // the double counts as exact; 0 ≤ radians < 2^60

// `count` steps modulo one turn, with all 96 bits; and the same rounded to 64.
Step operator*(Step step, std::int64_t count);
Turn rounded(Step step);
Turn phase(Step step, std::int64_t position);  // rounded(step * position)

// The mean of e^{iωp} over `count` successive positions is mean_factor(step, count) at the phase of their
// middle, middle_phase(step, first, count).  A(N, ω) = sin(Nω/2) / (N sin(ω/2)), 1 where ω is a whole turn.
// Use them together: both take the same half step, and each alone has the wrong sign for half of all frequencies.
double mean_factor(Step step, std::int64_t count);
Turn middle_phase(Step step, std::int64_t first, std::int64_t count);

// Sums and differences of steps, modulo one turn and with all 96 bits.
inline Uint128 bits(Step step) { return (Uint128{step.high} << 32) | step.low; }

// The lowest 96 bits.
inline Step fraction(Uint128 wide) {
    return {static_cast<std::uint64_t>(wide >> 32), static_cast<std::uint32_t>(wide)};
}

Step sum(Step a, Step b);
Step difference(Step a, Step b);  // a − b

}  // namespace posiscope
