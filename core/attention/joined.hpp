// joined.hpp — what attention hands on: the outputs of all heads side by side, times W_o.
// concat_i = [out(0, i) … out(H−1, i)],  output_i = W_o concat_i
// Shapes  concat [n, H·D], output [n, d_model]; W_o [d_model, H·D] seeded (variance 1/(H·D)) or the identity, where
//         feature f takes concat[f mod H·D].  Error  ≤ H·D · 2^-53 · Σ|W concat|.
#pragma once

#include "core/attention/attention.hpp"
#include "core/attention/tokens.hpp"

namespace posiscope {

struct Joined {
    std::int64_t heads = 1, head_dim = 1, rows = 0, d_model = 2;
    std::vector<double> concat, output;
    std::vector<double> spread;  // [n] the standard deviation over the features of a row of the output
    double all = 0.0;            // and over all numbers of the output
};

// Refused where the content is of files, which have no values.
Result<Joined> joined_heads(const TokenInput& scene);

}  // namespace posiscope
