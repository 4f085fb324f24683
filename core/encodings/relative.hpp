// relative.hpp — the formulas of the encodings that add to the logits, independent of a Scene. Distance D = query − key.
// Each computes what the named implementation does; the file named beside it makes an Encoding of it.
#pragma once

#include "core/encodings/action.hpp"
#include "core/problem.hpp"

#include <vector>

namespace posiscope {

// --- ALiBi, alibi.cpp ------------------------------------------------------------------------------------

// The slopes of n heads. alibi and bloom: the series of P = 2^floor(log2 n), m_k = 2^(−8k/P), then the odd terms
// of the series of 2P. mpt: the series of 2^ceil(log2 n) with 2^(−bias_max·k/N), odd terms first: the same numbers
// at bias_max = 8. n ≥ 1.  Source  arXiv 2108.12409; Hugging Face's Bloom and MPT.
std::vector<double> alibi_slopes(std::int64_t heads);
std::vector<double> mpt_slopes(std::int64_t heads, double bias_max);

// --- KERPLE, kerple.cpp ----------------------------------------------------------------------------------

// The learned or initial numbers of one head; `weight_…` act only if the power is weighted.
struct KerpleHead {
    double a, p, weight_a, weight_p;
};
KerpleHead kerple_head(const SpectrumInput& scene, std::int64_t head);

double kerple_log(double p, double a, double distance);     // −p ln(1 + a D)
double kerple_power(double p, double a, double distance);   // −a D^p
double kerple_weight(double p, double a, double distance);  // exp(−a D^p), which multiplies the logit

// --- FIRE, fire.cpp --------------------------------------------------------------------------------------

// MLP(ψ(|i − j|) / (ψ(max(i, |L|)) + eps)), ψ(x) = ln(|c x| + 1), 1 → width → heads with a ReLU between.
struct Fire {
    double c = 0.1;
    double threshold = 512.0;  // L
    double eps = 1e-6;
    std::vector<double> in_weight, in_bias;    // [width]
    std::vector<double> out_weight, out_bias;  // [heads, width] row-major, [heads]

    double bias(std::int64_t head, std::int64_t query, std::int64_t key) const;
};

// --- T5, t5.cpp ------------------------------------------------------------------------------------------

struct T5Buckets {
    std::int64_t num_buckets = 32;
    std::int64_t max_distance = 128;
    bool bidirectional = true;
};
// The bucket of r = key − query (the opposite sign of D).  Range  max_distance > the exact half of the buckets.
std::int64_t t5_bucket(const T5Buckets& buckets, std::int64_t key_minus_query);

// --- Shaw, shaw.cpp --------------------------------------------------------------------------------------

// clip(key − query, −k, k) + k: the row of the tables, 0 … 2k.
std::int64_t shaw_index(std::int64_t key_minus_query, std::int64_t max_relative_position);

// e_ij = q_i·(k_j + aK_r)/√head_dim, z_i = Σ a_ij (v_j + aV_r): tables [2k + 1, head_dim], shared by the heads;
// a function gives each row.
using ShawTable = std::function<std::span<const double>(std::int64_t row)>;
Action shaw_action(ShawTable key_table, ShawTable value_table, std::int64_t max_relative_position,
                   std::int64_t head_dim);

// --- Transformer-XL, transformer_xl.cpp ------------------------------------------------------------------

// s_ij = [(q_i + u)·k_j + (q_i + v)·(W_R R_{i−j})]/√head_dim
// One head at distance D: u, v and key = W_R R_D, each [head_dim].
struct RelativeTerms {
    std::span<const double> u, v, key;
};
using TermsOfDistance = std::function<RelativeTerms(std::int64_t head, std::int64_t distance)>;
Action transformer_xl_action(TermsOfDistance terms_of, std::int64_t head_dim);

}  // namespace posiscope
