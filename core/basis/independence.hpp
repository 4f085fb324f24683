// independence.hpp — whether the rows p_0 … p_{n−1} of a sinusoidal table are linearly independent.
// The columns sin(ωp), cos(ωp) span the same space as e^{iωp}, e^{−iωp}: powers of 2·pairs nodes z = e^{±iω}. n rows of a
// Vandermonde matrix with N distinct nodes have rank min(n, N). A frequency of whole or half turns has one node, not two.
// That is the rank of the real numbers; the rank that doubles show is far smaller (table_rank in identities.hpp).
#pragma once

#include "core/phase/frequencies.hpp"
#include "core/problem.hpp"

#include <cstdint>

namespace posiscope {

// Distinct nodes, and the exact rank of n rows. Nodes count as equal when their 96-bit steps are.
std::int64_t distinct_nodes(const Spectrum& spectrum);
std::int64_t exact_rank(const Spectrum& spectrum, std::int64_t length);

// How many different frequencies there are.
std::int64_t distinct_frequencies(const Spectrum& spectrum);

// log10 |det| of the table of n = 2·pairs rows, from the nodes: Σ_{a<b} log10 |z_a − z_b| − pairs · log10 2.
// −∞ where two nodes coincide. Cost pairs².  Error  ≤ 1e-10 of the sum.
double log10_determinant(const Spectrum& spectrum);

// α with Σ_p α_p p_p ≈ 0 and ‖α‖ = 1: the middle row's unit vector, projected on all such α. `residual` is ‖Σ_p α_p p_p‖,
// rounding; no weights where the rows are independent: as real numbers, or as doubles. Cost length² · width, refused above kMostNullSteps.
inline constexpr double kMostNullSteps = 0x1p27;  // 512 of each
struct NullVector {
    std::vector<double> weights;  // [length], or none
    double residual = 0.0;
};
Result<NullVector> null_vector(const Spectrum& spectrum, std::int64_t length);

// Counts the pairs whose base^(−2i/d) is a rational number: base = g^e with g no power itself, and 2ie/d whole.
// g may be a fraction: 2.25 = 1.5^2. The base is the double that it is.  Cost 64 + pairs.
std::int64_t rational_frequencies(double base, std::int64_t pairs);

}  // namespace posiscope
