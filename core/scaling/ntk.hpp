// ntk.hpp — a larger base, as NTK-aware scaling uses it.
// b' = b · alpha^(r/(r−2)), so ω'_i = ω_i · alpha^(−2i/(r−2)): the first pair stays, the last becomes ω/alpha
// exactly. With r = 2 there is one pair, which stays: the branch comes before the division.
#pragma once

#include "core/scaling/scaling.hpp"

namespace posiscope {

std::vector<double> ntk_frequency(const std::vector<double>& frequency, double alpha);

}  // namespace posiscope
