// fit.hpp — a query and a key whose rotary score is what somebody wants it to be, on the distances of a training.
// Σ_i a_i cos(Δω_i) + b_i sin(Δω_i) is fitted to e^(−Δ/decay) for Δ = 0 … length − 1 by least squares; of all fits that are
// as good the one with the smallest coefficients. That is as kind as training can be to what comes after, and yet nothing
// in it speaks of larger distances.
// Source   singular values below 2^-52 · length of the largest are left out, as numpy.linalg.lstsq does.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

// The key's features where the query is 1 in the first component of every pair and 0 in the second.
struct Fit {
    std::vector<double> query, key;
    double rms = 0.0;  // what is left of the target
};
Fit fit_decay(const Spectrum& spectrum, PairOrder order, double decay, std::int64_t length);

}  // namespace posiscope
