// Shaw et al.: a vector for each distance, clipped at half the trained length, added to keys and to values;
// N(0, 1/head_dim) at the start, shared by heads and layers.
#include "core/encodings/relative.hpp"
#include "core/experiment/learnable.hpp"

#include <cmath>

namespace posiscope::experiment {
namespace shaw {
namespace {

std::int64_t clip(const Place& place) {
    return static_cast<std::int64_t>(std::max<std::size_t>(place.trained / 2, 1));
}

std::size_t rows(const Place& place) { return static_cast<std::size_t>(2 * clip(place) + 1); }

std::vector<Group> groups(const Place& place) {
    const double deviation = 1.0 / std::sqrt(static_cast<double>(place.shape.head_dim()));
    const Group table{.rows = rows(place), .columns = place.shape.head_dim(), .deviation = deviation};
    std::vector<Group> both = {table, table};
    both[0].name = "keys";
    both[1].name = "values";
    return both;
}

// each(number, place in a table): the same rows for every head.
template <class Each>
void for_each_feature(const Place& place, std::size_t positions, const Each& each) {
    const auto n = static_cast<std::int64_t>(positions);
    const std::size_t width = place.shape.head_dim();
    for (std::size_t h = 0; h < place.shape.heads; ++h)
        for (std::int64_t later = 1 - n; later < n; ++later) {
            const auto row = static_cast<std::size_t>(shaw_index(later, clip(place)));
            const std::size_t at = h * (2 * positions - 1) + distance_row(positions, later);
            for (std::size_t f = 0; f < width; ++f) each(row * width + f, at * width + f);
        }
}

void tables(const Place& place, Numbers numbers, Tables& tables) {
    const std::size_t values = rows(place) * place.shape.head_dim();
    tables.relative_key.resize(place.shape.heads * tables.distances() * place.shape.head_dim());
    tables.relative_value.resize(tables.relative_key.size());
    for_each_feature(place, tables.positions, [&](std::size_t number, std::size_t at) {
        tables.relative_key[at] = numbers[number];
        tables.relative_value[at] = numbers[values + number];
    });
}

void gradient(const Place& place, Numbers, const Tables& gradient, std::span<double> out) {
    const std::size_t values = rows(place) * place.shape.head_dim();
    for_each_feature(place, gradient.positions, [&](std::size_t number, std::size_t at) {
        out[number] += gradient.relative_key[at];
        out[values + number] += gradient.relative_value[at];
    });
}

}  // namespace
}  // namespace shaw

const Learnable kShaw{.groups = shaw::groups, .tables = shaw::tables, .gradient = shaw::gradient};

}  // namespace posiscope::experiment
