// rows.hpp — some rows of one head's attention: a page of a matrix that is too large to be seen or held whole.
// logits, weights  [queries, keys] of the asked keys, as in attention.hpp: a softmax is over every key that its query sees
// before, behind   [queries] the weights of the keys before and behind these, together: a row of all three sums to 1, or to
//                  0 where the query sees no key
// distance         [queries] Σ_j a_ij |i − j| over all keys
// q, k             [queries, head_dim] of the queries' own rows, rotated
// Memory   a head's keys, and the logits of kBlock queries.  Error  1e-12 of a weight.
#pragma once

#include "core/attention/attention.hpp"
#include "core/attention/tokens.hpp"

namespace posiscope {

struct RowsAsked {
    std::int64_t head = 0;
    Sight::Run queries, keys;

    bool operator==(const RowsAsked&) const = default;
};

struct AttentionRows {
    std::vector<double> logits, weights;
    std::vector<double> before, behind, distance;
    std::vector<double> q, k;
};

// Refused as project() is, and for more than kMostLocalRows rows. Runs end where the rows do.
Result<AttentionRows> attention_rows(const TokenInput& scene, RowsAsked asked);

}  // namespace posiscope
