// ntk.hpp — the larger base of NTK-aware scaling.
// b' = b · alpha^(r/(r−2)), so ω'_i = ω_i · alpha^(−2i/(r−2)): the first pair is kept, the last becomes
// exactly ω/alpha. With r = 2 the only pair is kept: the branch comes before the division.
// Takes ω_i of all pairs, in order and not empty; alpha > 0. Returns as many, in the same unit.
#pragma once

#include "core/scaling/scaling.hpp"

namespace posiscope {

std::vector<double> ntk_frequency(const std::vector<double>& frequency, double alpha);

}  // namespace posiscope
