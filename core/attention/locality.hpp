// locality.hpp — how far each head looks: the mean of its weights by distance, and the heads ranked by it.
// weights(h, b) = mean over queries i of Σ_j a_ij over the keys at distances |i − j| in first[b] … first[b + 1] − 1
// distance(h)   = mean over queries i of Σ_j a_ij |i − j|
// Distances are in bins 0, 1, 2–3, 4–7, …; every row of `weights` sums to 1.
// Queries are sampled from the last one backwards, one in `every`, where all of them take more than `units` of work
// (core/cost.hpp), or four times as much where that leaves fewer than 64; keys never are. Nothing of size n × n is held.
// Error  1e-12 where every query is taken.
#pragma once

#include "core/attention/attention.hpp"
#include "core/attention/tokens.hpp"

namespace posiscope {

inline constexpr std::int64_t kMostLocalRows = std::int64_t{1} << 17;

struct Locality {
    std::int64_t every = 1;
    std::vector<std::int64_t> first;   // [bins]
    std::vector<double> weights;       // [heads, bins]
    std::vector<double> distance;      // [heads]
    std::vector<std::int64_t> ranked;  // heads, the most local first

    std::size_t bins() const { return first.size(); }
};

// Refused as project() is, and for more than kMostLocalRows rows.
Result<Locality> locality(const TokenInput& scene, double units);

// The number of bins of n rows.
std::int64_t local_bins(std::int64_t rows);

}  // namespace posiscope
