// KERPLE, log: −p ln(1 + a D), p uniform in [0, 2) and a in [0, 1) at the start, at least 0.01, shared by the layers.
// Learns at ten times the common rate, as T5's bias does.
#include "core/encodings/relative.hpp"
#include "core/experiment/learnable.hpp"

#include <cmath>

namespace posiscope::experiment {
namespace kerple {
namespace {

constexpr double kSmallest = 0.01;

std::vector<Group> groups(const Place& place) {
    return {{.name = "p", .columns = place.shape.heads, .rate = 10.0},
            {.name = "a", .columns = place.shape.heads, .rate = 10.0}};
}

void start(const Place& place, Random& random, std::span<double> numbers) {
    for (std::size_t h = 0; h < 2 * place.shape.heads; ++h)
        numbers[h] = std::max((h < place.shape.heads ? 2.0 : 1.0) * random.uniform(), kSmallest);
}

void settle(const Place&, std::span<double> numbers, Numbers) {
    for (double& number : numbers) number = std::max(number, kSmallest);
}

void tables(const Place& place, Numbers numbers, Tables& tables) {
    tables.bias_by_distance.clear();
    const auto n = static_cast<std::int64_t>(tables.positions);
    for (std::size_t h = 0; h < place.shape.heads; ++h)
        for (std::int64_t later = 1 - n; later < n; ++later)
            tables.bias_by_distance.push_back(
                kerple_log(numbers[h], numbers[place.shape.heads + h], static_cast<double>(std::abs(later))));
}

void gradient(const Place& place, Numbers numbers, const Tables& gradient, std::span<double> out) {
    const auto n = static_cast<std::int64_t>(gradient.positions);
    for (std::size_t h = 0; h < place.shape.heads; ++h) {
        const double p = numbers[h], a = numbers[place.shape.heads + h];
        for (std::int64_t later = 1 - n; later < n; ++later) {
            const auto distance = static_cast<double>(std::abs(later));
            const double d =
                gradient.bias_by_distance[h * gradient.distances() + distance_row(gradient.positions, later)];
            out[h] -= d * std::log1p(a * distance);
            out[place.shape.heads + h] -= d * p * distance / (1.0 + a * distance);
        }
    }
}

}  // namespace
}  // namespace kerple

const Learnable kKerple{.groups = kerple::groups,
                        .tables = kerple::tables,
                        .gradient = kerple::gradient,
                        .start = kerple::start,
                        .settle = kerple::settle};

}  // namespace posiscope::experiment
