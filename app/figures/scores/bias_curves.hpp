// bias_curves.hpp — the biases of all heads as curves over the distance.
#pragma once

#include "app/figures/scores/curves.hpp"

namespace posiscope::figures::scores {

// The values that curves of biases are made from.
struct BiasSource {
    Result<Action> action = Action{};
    std::int64_t query = 0;  // where they are not a function of the distance

    // NaN where there is no such key.
    double at(std::int64_t head, std::int64_t distance) const;
};

struct Biases {
    Kept<BiasSource> source;
    Kept<Biases> less;  // of B − A: A's; then `source` is B's
    Curves curves;      // one a head, of the first heads

    std::size_t heads() const { return curves.curves.size(); }
    double at(std::int64_t head, std::int64_t distance) const {
        return source->at(head, distance) - (less != nullptr ? less->at(head, distance) : 0.0);
    }
};

// Null while they are computed.
Kept<Biases> biases(const Scene& scene, Derived& derived);
Kept<Biases> bias_difference(Derived& keeper, const Kept<Biases>& a, const Kept<Biases>& b);

// Every head's bias at one distance.
const std::vector<double>& of_heads(Derived& keeper, const Kept<Biases>& of, std::int64_t distance);

}  // namespace posiscope::figures::scores
