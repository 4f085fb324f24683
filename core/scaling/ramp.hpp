// ramp.hpp — the pairs that are kept and those that are slowed down, for methods that distinguish them.
// There are two forms, which differ (YaRN's paper has the second, all implementations the first):
//   by pair       linear in i between the pairs that make `fast` and `slow` turns in L positions
//   by rotations  linear in the number of turns L/λ_i
#pragma once

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

}  // namespace posiscope
