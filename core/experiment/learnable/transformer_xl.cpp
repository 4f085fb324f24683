// Transformer-XL: q also meets W_R R_D, R_D the sinusoid of a distance; u and v are added to q where it meets keys and
// distances. W_R N(0, 1/width), u and v N(0, 0.02²) at the start; all shared by the layers.
#include "core/encodings/encodings.hpp"
#include "core/experiment/learnable.hpp"

#include <cmath>

namespace posiscope::experiment {
namespace transformer_xl {
namespace {

std::vector<Group> groups(const Place& place) {
    const std::size_t width = place.shape.width;
    return {{.name = "distances",
             .rows = width,
             .columns = width,
             .deviation = 1.0 / std::sqrt(static_cast<double>(width)),
             .decays = true},
            {.name = "u", .columns = width, .deviation = 0.02},
            {.name = "v", .columns = width, .deviation = 0.02}};
}

// R of every distance, at r: [distances, width].
std::vector<double> sinusoids(const Place& place, std::size_t positions) {
    const std::size_t pairs = place.shape.width / 2;
    const Spectrum spectrum = geometric_spectrum(place.base, pairs, pairs);
    const auto n = static_cast<std::int64_t>(positions);
    std::vector<double> values;
    values.reserve((2 * positions - 1) * place.shape.width);
    for (std::int64_t r = 0; r < 2 * n - 1; ++r)
        for (std::size_t c = 0; c < place.shape.width; ++c)
            values.push_back(
                table_value(spectrum, PairLayout::halves, n - 1 - r, static_cast<std::int64_t>(c)));
    return values;
}

double scale(const Place& place) { return 1.0 / std::sqrt(static_cast<double>(place.shape.head_dim())); }

// Feature h · head_dim + f of a distance is at [h][r][f].
std::size_t place_of(const Place& place, std::size_t distances, std::size_t feature, std::size_t r) {
    const std::size_t width = place.shape.head_dim();
    return (feature / width * distances + r) * width + feature % width;
}

void tables(const Place& place, Numbers numbers, Tables& tables) {
    const std::size_t width = place.shape.width, distances = tables.distances(), matrix = width * width;
    const std::vector<double> r_values = sinusoids(place, tables.positions);
    tables.relative_key.assign(distances * width, 0.0);
    tables.bias_by_distance.assign(place.shape.heads * distances, 0.0);
    tables.content_query.assign(numbers.begin() + static_cast<std::ptrdiff_t>(matrix),
                                numbers.begin() + static_cast<std::ptrdiff_t>(matrix + width));
    for (std::size_t feature = 0; feature < width; ++feature)
        for (std::size_t r = 0; r < distances; ++r) {
            double sum = 0.0;
            for (std::size_t c = 0; c < width; ++c)
                sum += numbers[feature * width + c] * r_values[r * width + c];
            tables.relative_key[place_of(place, distances, feature, r)] = sum;
            tables.bias_by_distance[feature / place.shape.head_dim() * distances + r] +=
                scale(place) * numbers[matrix + width + feature] * sum;
        }
}

void gradient(const Place& place, Numbers numbers, const Tables& gradient, std::span<double> out) {
    const std::size_t width = place.shape.width, distances = gradient.distances(), matrix = width * width;
    const std::vector<double> r_values = sinusoids(place, gradient.positions);
    for (std::size_t feature = 0; feature < width; ++feature) {
        out[matrix + feature] += gradient.content_query[feature];
        const double v = numbers[matrix + width + feature];
        for (std::size_t r = 0; r < distances; ++r) {
            const double d_bias =
                scale(place) * gradient.bias_by_distance[feature / place.shape.head_dim() * distances + r];
            const double d = gradient.relative_key[place_of(place, distances, feature, r)] + v * d_bias;
            double key = 0.0;
            for (std::size_t c = 0; c < width; ++c) {
                out[feature * width + c] += d * r_values[r * width + c];
                key += numbers[feature * width + c] * r_values[r * width + c];
            }
            out[matrix + width + feature] += d_bias * key;
        }
    }
}

}  // namespace
}  // namespace transformer_xl

const Learnable kTransformerXl{
    .groups = transformer_xl::groups, .tables = transformer_xl::tables, .gradient = transformer_xl::gradient};

}  // namespace posiscope::experiment
