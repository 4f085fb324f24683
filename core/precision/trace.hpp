// trace.hpp — one number of an encoding, step by step: exactly, and as a program computes it in a number format.
//   ω_i → p ω_i → in turns → reduced to one turn → its sine or cosine → stored → contribution to a score
// The exact side reduces by exact phases (core/phase). The other rounds ω, p and their product (precision.hpp), and its
// sine is that of the rounded product, before and after storing.
// Units    radians and turns as named.   Range  pair < pairs, 0 ≤ p < 2^31, the score's query p + offset likewise.
// Error    exact: frequency and angle 2 ulp, reduced 2^-64 turns, value 2e-16. Past a format's largest number the steps
//          of that format are ∞ or NaN.
#pragma once

#include "core/precision/precision.hpp"

namespace posiscope {

struct TraceSteps {
    double frequency = 0.0, position = 0.0;
    double angle = 0.0, turns = 0.0;  // p ω, not reduced
    double reduced = 0.0;             // [−π, π)
    double value = 0.0;               // sine or cosine of it
    double stored = 0.0;              // as the format stores it; exact: the same
    double share = 0.0;               // of the pair, in the score of query p + offset and key p
    double score = 0.0;               // of all pairs
};

struct TraceOf {
    std::size_t pair = 0;
    bool sine = true;
    std::int64_t position = 0, offset = 0;

    bool operator==(const TraceOf&) const = default;
};

// `form` may be null: then there is no score.
TraceSteps exact_trace(const TraceOf& of, const Spectrum& spectrum, const ScoreForm* form);
TraceSteps rounded_trace(const TraceOf& of, const Spectrum& spectrum, const ScoreForm* form,
                         Precision precision);

}  // namespace posiscope
