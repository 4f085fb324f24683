// yarn.hpp — the frequencies that YaRN shares with NTK-by-parts, which is YaRN without its attention factor.
#pragma once

#include "core/scaling/scaling.hpp"

namespace posiscope {

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
