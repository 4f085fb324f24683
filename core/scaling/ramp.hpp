// ramp.hpp — which pairs are kept and which are slowed down, for the methods that treat them differently.
// Two forms of the same idea, and they are not the same function (YaRN's paper has the second, all code the first):
//   by pair       linear in i between the pairs that make `fast` and `slow` turns in L positions
//   by rotations  linear in the number of turns L/λ_i itself
#pragma once

#include <cstdint>

namespace posiscope {

struct PairRange {
    double low = 0.0;
    double high = 0.0;
};

// c(n) = r ln(L/(2πn)) / (2 ln b), the pair (not whole) that makes n turns in L positions; low = c(fast),
// high = c(slow), floored and ceiled with `truncate`, then low ≥ 0 and high ≤ r − 1. That bound is the code's:
// pairs only run to r/2 − 1.  Source  YaRN repository, Hugging Face's _compute_yarn_parameters.
PairRange correction_range(double fast, double slow, std::int64_t rotary_dim, double base, double original,
                           bool truncate);

// 1 below range.low, 0 above range.high, linear between; a range without width counts as 0.001 wide.
double kept_by_pair(const PairRange& range, double pair);

// 0 below `slow` rotations, 1 above `fast`, linear between: the comparison comes before the division, so that
// slow = fast is a step and no 0/0.
double kept_by_rotations(double frequency, double original, double slow, double fast);

}  // namespace posiscope
