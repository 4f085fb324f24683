// difference.cpp — B − A at every distance that A's columns hold: the least and largest difference of a column are not those
// of its two sides.
#include "app/figures/scores/making.hpp"

namespace posiscope::figures::scores {

Curves less(const DifferenceKey& key) {
    const Curves &a = *key.a, &b = *key.b;
    if (a.rough || b.rough || !a.row || !b.row) return rough_less(key);
    const Evaluate between = [&](std::int64_t first, std::int64_t stride,
                                 std::int64_t count) -> Result<std::vector<std::vector<double>>> {
        const auto of_a = a.row(first, stride, count);
        if (!of_a) return of_a;
        auto made = b.row(first, stride, count);
        if (!made) return made;
        for (std::size_t i = 0; i < made->front().size(); ++i) made->front()[i] -= of_a->front()[i];
        return made;
    };
    Curves made;
    made.query = a.query;
    if (a.in_column > 0) {
        made.at = a.at;
        made.in_column = std::max<std::int64_t>(1, std::min(a.in_column, b.in_column) / 2);
        made.problem = fill_columns(made, between);
    } else {
        made.problem = fill(made, samples_again(a), band_work(key.exact_work), between);
    }
    if (made.problem) return rough_less(key);
    measure(made);
    return made;
}

Curves rough_less(const DifferenceKey& key) {
    const Curves &a = *key.a, &b = *key.b;
    Curves made;
    made.query = a.query;
    made.at = a.at;
    made.stride = made.every = a.stride;
    made.last = a.last;
    std::vector<double>& values = made.curves.emplace_back().values;
    const std::vector<double>& of_b = b.curves.front().values;
    std::size_t j = 0;
    for (const double at : a.at) {
        while (j < b.at.size() && b.at[j] < at) ++j;
        values.push_back(j < b.at.size() && b.at[j] == at ? of_b[j] : std::nan(""));
    }
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= a.curves.front().values[i];
    measure(made);
    return made;
}

}  // namespace posiscope::figures::scores
