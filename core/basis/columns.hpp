// columns.hpp — the columns of a table over n positions: their products and their Fourier transform.
// In a sinusoidal table every sum over the positions is a geometric series, Σ_{p<n} e^{iθp} = e^{iθ(n−1)/2} sin(nθ/2)/sin(θ/2), so the cost does
// not depend on n.
// Symbols  s_a(p) = sin(ω_a p), c_a(p) = cos(ω_a p), p = 0 … n − 1.  Range  1 ≤ n < 2^31.
// Error    ≤ 1e-13 of n/2 for each sum (phases are exact to 2^-64 turns).  Source  Dirichlet's kernel.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

// The products of two pairs' columns in units of n/2: the table's claim is 1 for equal columns and 0 for others.
struct ColumnProducts {
    double sin_sin = 0.0;  // (2/n) Σ s_a s_b
    double cos_cos = 0.0;  // (2/n) Σ c_a c_b
    double sin_cos = 0.0;  // (2/n) Σ s_a c_b
};
ColumnProducts column_products(Step a, Step b, std::int64_t length);

// (2/n) PEᵀ PE, [2·pairs, 2·pairs], columns in the table's own order. Cost pairs².
std::vector<double> column_gram(const Spectrum& spectrum, PairLayout layout, std::int64_t length);

// The power spectrum of one column: |X_q|², q = 0 … ⌊n/2⌋, X_q = Σ_p x(p) e^{−2πi qp/n}, as fractions of the total (inner
// bins count for both signs of q, so they sum to 1). All 0 for a column of zeros. Cost n.
std::vector<double> column_power(Step step, bool cosine, std::int64_t length);

// The same of a column of any numbers. Cost n².  Error ≤ n·2e-16 of the power.
std::vector<double> column_power(std::span<const double> column);

struct Leakage {
    std::int64_t bin = 0;    // the strongest
    double fraction = 1.0;   // of the power, in that bin; 1: nothing leaks
    std::int64_t above = 0;  // bins with more than 1e-6 of the power
};
Leakage leakage(std::span<const double> power);

}  // namespace posiscope
