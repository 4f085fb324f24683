// T5: a number for each head and bucket, 0 at the start, one table for both layers. 16 buckets reach to the trained
// length, so that training meets every bucket; attention without a mask has as many again for later keys.
// Learns at ten times the common rate: at that itself a bias moves too little in a short run to suppress far keys.
// Logits are divided by √head_dim as everywhere in this model; T5's own are not.
#include "core/encodings/relative.hpp"
#include "core/experiment/learnable.hpp"

namespace posiscope::experiment {
namespace t5 {
namespace {

T5Buckets buckets(const Place& place) {
    return {place.shape.causal ? 16 : 32, std::max<std::int64_t>(static_cast<std::int64_t>(place.trained), 9),
            !place.shape.causal};
}

std::vector<Group> groups(const Place& place) {
    return {{.name = "buckets",
             .rows = static_cast<std::size_t>(buckets(place).num_buckets),
             .columns = place.shape.heads,
             .rate = 10.0}};
}

template <class Each>
void for_each_distance(const Place& place, std::size_t positions, const Each& each) {
    const T5Buckets made = buckets(place);
    const auto n = static_cast<std::int64_t>(positions);
    for (std::int64_t later = 1 - n; later < n; ++later) {
        const auto bucket = static_cast<std::size_t>(t5_bucket(made, later));
        for (std::size_t h = 0; h < place.shape.heads; ++h)
            each(bucket * place.shape.heads + h, h * (2 * positions - 1) + distance_row(positions, later));
    }
}

void tables(const Place& place, Numbers numbers, Tables& tables) {
    tables.bias_by_distance.resize(place.shape.heads * tables.distances());
    for_each_distance(place, tables.positions, [&](std::size_t number, std::size_t at) {
        tables.bias_by_distance[at] = numbers[number];
    });
}

void gradient(const Place& place, Numbers, const Tables& gradient, std::span<double> out) {
    for_each_distance(place, gradient.positions, [&](std::size_t number, std::size_t at) {
        out[number] += gradient.bias_by_distance[at];
    });
}

}  // namespace
}  // namespace t5

const Learnable kT5{.groups = t5::groups, .tables = t5::tables, .gradient = t5::gradient};

}  // namespace posiscope::experiment
