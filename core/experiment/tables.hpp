// tables.hpp — what an encoding does to the model at positions 0 … n − 1, as numbers: attention's frame
// (core/encodings/action.hpp) with its functions written out, so that one model trains with every encoding.
//   x_p       += input[p]
//   (a, b)_i  → a, b times a 2 × 2 matrix for each pair (2i, 2i + 1) of a head of q, and one of k
//   logit(h, i, j) = weight(h, i, j) · scale · ((q_i + content_query_h) · k_j + q_i · relative_key[h][r]) + bias(h, i, j)
//   output(h, i)   = Σ_j a_ij (v_j + relative_value[h][r]),   r = j − i + n − 1
// Members that an encoding does not use stay empty. Causal attention reads only r < n.
// The same struct holds the gradient with respect to these numbers, of those that an encoding trains.
#pragma once

#include "core/encodings/action.hpp"
#include "core/experiment/plan.hpp"

namespace posiscope::experiment {

// a' = along · a + across · b for the first of a pair, b' = along · b + across · a for the second; [n, head_dim] each.
struct PairMaps {
    std::vector<double> along, across;

    bool empty() const { return along.empty(); }
};

struct Tables {
    std::size_t positions = 0;
    std::vector<double> input;  // [n, width]
    PairMaps query, key;
    bool angles = false;  // the angles of pairs are trained
    std::vector<double>
        angle;  // [n, head_dim/2], of a gradient alone: by the angle of a pair, of q and k together
    std::vector<double> weight;              // [heads, n, n]
    std::vector<double> weight_by_distance;  // [heads, 2n − 1], at r
    std::vector<double> bias;                // [heads, n, n]
    std::vector<double> bias_by_distance;    // [heads, 2n − 1], at r
    std::vector<double> relative_key;        // [heads, 2n − 1, head_dim], at r
    std::vector<double> relative_value;      // [heads, 2n − 1, head_dim]
    std::vector<double> content_query;       // [heads, head_dim]

    std::size_t distances() const { return 2 * positions - 1; }
};

// The tables of an encoding that trains nothing: what its Action adds, how it turns, its bias. Nothing for an Action that
// does something else, or turns other than in interleaved pairs.
std::optional<Tables> tables_of(const Action& action, const ModelShape& shape, std::size_t positions);

// --- As the model reads them -----------------------------------------------------------------------------

// Padded and converted. A table by distance has room past its end, so that whole vectors can be read at any r.
template <class Real>
struct ModelTables {
    std::size_t positions = 0;
    Buffer<Real> input;                                             // [n, padded width]
    Buffer<Real> query_along, query_across, key_along, key_across;  // [n, padded width]
    Buffer<Real> bias;                                              // [heads, bias_size]
    std::size_t bias_size = 0;                                      // of one head
    bool by_distance = false;  // row i of the bias begins at n − 1 − i, else at i · padded(n)
    Buffer<Real> weight;       // as the bias
    std::size_t weight_size = 0;
    bool weight_by_distance = false;
    Buffer<Real> angle;                // [n, head_dim/2], of a gradient alone
    Buffer<Real> relative_key;         // [heads, 2n − 1, head_dim]
    Buffer<Real> relative_key_across;  // [heads, head_dim, distance_stride(n)]
    Buffer<Real> relative_value, relative_value_across;
    Buffer<Real> content_query;  // [padded width]

    static std::size_t distance_stride(std::size_t positions) {
        return padded(2 * positions - 1) + padded(positions);
    }

    ModelTables() = default;
    ModelTables(const Tables& tables, const ModelShape& shape);

    // Room for the gradient of what `tables` holds; and that gradient in the encoding's own form.
    static ModelTables gradient_room(const Tables& tables, const ModelShape& shape);
    Tables gradient(const Tables& tables, const ModelShape& shape) const;
    void clear();
};

}  // namespace posiscope::experiment
