#include "app/figures/matrix/basis_values.hpp"

#include "app/figures/matrix/matrix.hpp"
#include "core/cost.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace posiscope::figures::matrix::basis {

Key key_of(const Scene& scene, Derived& derived) {
    return {derived.input<ActionInput>(scene), shows_table(scene), 0};
}

Result<Table2d> numbers(const ActionInput& scene, std::int64_t most_rows, std::int64_t stride) {
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    const std::int64_t rows =
        std::max<std::int64_t>(1, std::min({scene.length, action->positions, most_rows}));
    const std::int64_t pairs = (scene.d_model / 2 + stride - 1) / stride;
    Table2d table(static_cast<std::size_t>(rows), static_cast<std::size_t>(2 * pairs));
    std::vector<double> row(static_cast<std::size_t>(scene.d_model));
    for (std::int64_t p = 0; p < rows; ++p) {
        spend(action->cost + 3.0 * static_cast<double>(scene.d_model));
        std::fill(row.begin(), row.end(), 0.0);
        action->add(p, row);
        if (auto problem = no_number(row, p)) return tl::unexpected(std::move(*problem));
        for (std::int64_t i = 0; i < pairs; ++i)
            for (std::int64_t c = 0; c < 2; ++c)
                table(static_cast<std::size_t>(p), static_cast<std::size_t>(2 * i + c)) =
                    row[static_cast<std::size_t>(2 * i * stride + c)];
    }
    return table;
}

}  // namespace posiscope::figures::matrix::basis
