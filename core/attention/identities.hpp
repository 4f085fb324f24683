// identities.hpp — claims about sinusoidal and rotary encodings, each as a residual that is 0 if the claim holds.
// Symbols  p_i the vector of position i, ω_m a pair's frequency, M_k the shift by k (shift.hpp), f(Δ) = Σ_m cos Δω_m.
// Every residual is the largest absolute difference in float64, with exact phases: only rounding remains, about
// 2^-53 times the number of pairs. Positions 0 … 2^31 − 1.
#pragma once

#include "core/attention/attention.hpp"
#include "core/phase/shift.hpp"
#include "core/scores/score.hpp"

namespace posiscope {

// --- The shift -------------------------------------------------------------------------------------------

double shift_residual(const Encoding& encoding, const Spectrum& spectrum, std::int64_t position,
                      std::int64_t offset);
double composition_residual(const Encoding& encoding, const Spectrum& spectrum, std::int64_t a,
                            std::int64_t b);

// --- Dot product, distance, translation: all functions of i − j --------------------------------------------

double dot_product(const Spectrum& spectrum, std::int64_t i, std::int64_t j);  // p_i·p_j from the vectors
double dot_of_distance(const Spectrum& spectrum, std::int64_t distance);       // f(Δ)
double length_of_distance(const Spectrum& spectrum,
                          std::int64_t distance);  // 2 √(Σ sin²(ω_m Δ/2)) = ‖p_i − p_j‖
double chord(Step step, std::int64_t distance);    // one pair's part of it: 2 |sin(ωΔ/2)|
double squared_distance(const Spectrum& spectrum, std::int64_t i, std::int64_t j);  // from the vectors

// --- The complex form ------------------------------------------------------------------------------------

// c_i = (e^{−i ω_m i})_m, T = diag(e^{−i ω_m}): c_i against T multiplied `position` times. Repeated products lose
// about one ulp per step, and this function shows it.
double power_residual(const Spectrum& spectrum, std::int64_t position);
double conjugate_residual(const Spectrum& spectrum,
                          std::int64_t position);  // sin φ + i cos φ against i e^{−iφ}
double literal_residual(const Spectrum& spectrum, std::int64_t position);  // the same against e^{iφ}: up to 2

// --- Orthogonality of the columns ------------------------------------------------------------------------

// Largest off-diagonal |Σ_{i<n} …| in units of n/2, and the least diagonal, in closed form: cost pairs², any n.
struct Orthogonality {
    double sin_sin = 0.0, cos_cos = 0.0;  // pairs a ≠ b
    double sin_cos = 0.0;                 // all a, b
    double least_sin = 0.0;               // least Σ sin² in units of n/2: 1 where the claim holds
};
Orthogonality orthogonality(const Spectrum& spectrum, std::int64_t length);

// --- Rank and gaps ---------------------------------------------------------------------------------------

// Singular values of the table [n, 2·pairs], largest first; rank counts those above max(n, d) · 2^-52 · the largest.
struct Rank {
    std::vector<double> singular_values;
    std::int64_t rank = 0;
};
Result<Rank> table_rank(const Spectrum& spectrum, std::int64_t length);

struct Gap {
    double length = 0.0;        // least ‖p_i − p_j‖ for 0 ≤ i < j < n
    std::int64_t distance = 1;  // and j − i there
};
Gap least_gap(const Spectrum& spectrum, std::int64_t length);

// --- Attention -------------------------------------------------------------------------------------------

// The same tokens in another order: position i holds token order[i]. Without positions and mask attention is
// equivariant: the outputs are the same vectors in that order, and their mean does not change.
struct Equivariance {
    double moved = 0.0;     // max |Y' − Y|: the order of the outputs does change
    double residual = 0.0;  // max |Y' − P Y|: 0 for an equivariant map
    double pooled = 0.0;    // max |mean Y' − mean Y|: 0 for an invariant one
};
Result<Equivariance> equivariance(const AttentionInput& scene, std::span<const std::int64_t> order);

}  // namespace posiscope
