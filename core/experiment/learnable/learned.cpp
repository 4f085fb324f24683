// A learned table: one row for each trained position, N(0, 0.25) at the start, added to the input.
#include "core/experiment/learnable.hpp"

namespace posiscope::experiment {
namespace learned {
namespace {

std::vector<Group> groups(const Place& place) {
    return {{.name = "rows", .rows = place.trained, .columns = place.shape.width, .deviation = 0.5}};
}

void tables(const Place& place, Numbers numbers, Tables& tables) {
    const std::size_t rows = std::min(tables.positions, place.trained);
    tables.input.assign(tables.positions * place.shape.width, 0.0);
    std::copy_n(numbers.begin(), rows * place.shape.width, tables.input.begin());
}

void gradient(const Place&, Numbers, const Tables& gradient, std::span<double> out) {
    for (std::size_t at = 0; at < std::min(out.size(), gradient.input.size()); ++at)
        out[at] += gradient.input[at];
}

std::size_t end(const Place& place, Numbers, std::size_t positions) {
    return std::min(positions, place.trained);
}

}  // namespace
}  // namespace learned

const Learnable kLearned{
    .groups = learned::groups, .tables = learned::tables, .gradient = learned::gradient, .end = learned::end};

}  // namespace posiscope::experiment
