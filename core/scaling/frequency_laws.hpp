// frequency_laws.hpp — frequencies that several methods of scaling share.
// The pairs that are kept and those that are slowed down, for methods that distinguish them:
// There are two forms, which differ (YaRN's paper has the second, all implementations the first):
//   by pair       linear in i between the pairs that make `fast` and `slow` turns in L positions
//   by rotations  linear in the number of turns L/λ_i
#pragma once

#include "core/scaling/scaling.hpp"

#include <cstdint>

namespace posiscope {

struct PairRange {
    double low = 0.0;
    double high = 0.0;
};

// c(n) = r ln(L/(2πn)) / (2 ln b), the pair (not whole) that makes n turns in L positions; low = c(fast),
// high = c(slow), floored and ceiled with `truncate`, then low ≥ 0 and high ≤ r − 1. The implementations use that
// bound, although pairs only run to r/2 − 1.  Source  YaRN repository, Hugging Face's _compute_yarn_parameters.
PairRange correction_range(double fast, double slow, std::int64_t rotary_dim, double base, double original,
                           bool truncate);

// 1 below range.low, 0 above range.high, linear between; an empty range counts as 0.001 wide.
double kept_by_pair(const PairRange& range, double pair);

// 0 below `slow` rotations, 1 above `fast`, linear between: the comparison comes before the division, so
// slow = fast is a step rather than 0/0.
double kept_by_rotations(double frequency, double original, double slow, double fast);

// The larger base of NTK-aware scaling.
// b' = b · alpha^(r/(r−2)), so ω'_i = ω_i · alpha^(−2i/(r−2)): the first pair is kept, the last becomes
// exactly ω/alpha. With r = 2 the only pair is kept: the branch comes before the division.
// Takes ω_i of all pairs, in order and not empty; alpha > 0. Returns as many, in the same unit.
std::vector<double> ntk_frequency(const std::vector<double>& frequency, double alpha);

// The frequencies that YaRN shares with NTK-by-parts, which is YaRN without its attention factor.
struct YarnRamp {
    double fast = 32.0;  // beta_fast: pairs with more turns than this in L positions are kept
    double slow = 1.0;   // beta_slow: pairs with fewer are interpolated
    bool truncate = true;
    bool by_rotations = false;   // the paper's ramp
    bool logarithmic = false;    // blends the logarithms of the two frequencies
    double extrapolation = 1.0;  // multiplies the kept fraction
};

// ω'_i in radians per position, one per pair of the context.  Range  factor ≥ 1, original > 0, fast ≥ slow > 0.
std::vector<double> yarn_frequency(const RopeContext& context, double factor, double original,
                                   const YarnRamp& ramp);

// 1 for factor ≤ 1, else 0.1 · mscale · ln(factor) + 1
double yarn_mscale(double factor, double mscale);

}  // namespace posiscope
