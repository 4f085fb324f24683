// fit.hpp — a query and a key whose rotary score follows a given curve on the distances of training.
// Fits Σ_i a_i cos(Δω_i) + b_i sin(Δω_i) to e^(−Δ/decay) for Δ = 0 … length − 1 by least squares; of all equally good
// fits, the one with the smallest coefficients. This is the best-case fit: no training constrains larger distances less,
// and still nothing determines the score there.
// Range    decay > 0, length ≥ 1, in positions.   Shapes  query, key [2·pairs], pairs placed by `order`.
// Source   drops singular values below 2^-52 · length of the largest, as numpy.linalg.lstsq does.
// The Scene holds its result as numbers: training's q and k do not change with the spectrum, which a new fit would hide.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

// The query is 1 in the first component of every pair and 0 in the second; the fit gives the key's features.
struct Fit {
    std::vector<double> query, key;
    double rms = 0.0;  // of the residual over the fitted distances
};
Fit fit_decay(const Spectrum& spectrum, PairLayout layout, double decay, std::int64_t length);

}  // namespace posiscope
