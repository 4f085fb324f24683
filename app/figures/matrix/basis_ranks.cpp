// basis_ranks.cpp — the singular values of the first rows, and the rank of fewer.
#include "app/figures/matrix/basis.hpp"

#include "core/basis/independence.hpp"
#include "core/cost.hpp"

#include <algorithm>

namespace posiscope::figures::matrix::basis {
namespace {

constexpr double kMostSteps = 0x1p27;  // of one decomposition
constexpr double kSines = 30.0;        // units of a sine and a cosine

// Steps of one decomposition, and how many ranks of fewer rows they leave time for.
double steps_of(std::int64_t rows, std::int64_t columns) {
    return static_cast<double>(rows) * static_cast<double>(columns) *
           static_cast<double>(std::min(rows, columns));
}
std::int64_t points_of(double steps) {
    return static_cast<std::int64_t>(std::clamp(0x1p23 / std::max(steps, 1.0), 1.0, 16.0));
}

std::int64_t affordable_rows(std::int64_t rows, std::int64_t columns) {
    while (rows > 1 && steps_of(rows, columns) > kMostSteps) rows = rows * 3 / 4;
    return rows;
}

Table2d first_rows(const Table2d& table, std::size_t rows) {
    Table2d made(rows, table.columns);
    for (std::size_t c = 0; c < table.columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) made(r, c) = table(r, c);
    return made;
}

std::int64_t rank_of(const std::vector<double>& values, std::int64_t rows, std::int64_t columns) {
    const double least = static_cast<double>(std::max(rows, columns)) * 0x1p-52 * values.front();
    return std::count_if(values.begin(), values.end(), [&](double s) { return s > least; });
}

Ranks ranks_of(const Key& key) {
    Ranks made;
    made.width = columns_of(key);
    Result<Table2d> table = Table2d(1, 1);
    const auto spectrum = key.numbers ? Result<Spectrum>(Spectrum{}) : spectrum_of(*key.input);
    if (!spectrum) {
        made.problem = spectrum.error();
        return made;
    }
    const std::int64_t rows = affordable_rows(std::min(key.input->length, 4 * kMostRows), made.width);
    if (key.numbers) {
        table = numbers(*key.input, rows, 1);
        if (!table) {
            made.problem = table.error();
            return made;
        }
        made.rows = static_cast<std::int64_t>(table->rows);
        made.nodes = made.width;
    } else {
        made.rows = rows;
        made.nodes = distinct_nodes(*spectrum);
        made.exact = std::min(key.input->length, made.nodes);  // exact_rank
        Table2d waves(static_cast<std::size_t>(rows), static_cast<std::size_t>(made.width));
        for (std::size_t m = 0; m < spectrum->pairs(); ++m) {
            spend(kSines * static_cast<double>(rows));
            for (std::int64_t p = 0; p < rows; ++p) {
                const Turn turn = phase(spectrum->step[m], p);
                waves(static_cast<std::size_t>(p), 2 * m) = sin(turn);
                waves(static_cast<std::size_t>(p), 2 * m + 1) = cos(turn);
            }
        }
        table = std::move(waves);
    }
    made.singular = singular_values(first_rows(*table, table->rows));
    made.numeric = rank_of(made.singular, made.rows, made.width);
    if (key.numbers) made.exact = made.numeric;
    // The rank of fewer rows is shown too if it is cheap.
    const std::int64_t points = points_of(steps_of(made.rows, made.width));
    for (std::int64_t i = 1; i < points; ++i) {
        const std::int64_t n = made.rows * i / points;
        if (n < 1) continue;
        made.curve.push_back(
            {n, rank_of(singular_values(first_rows(*table, static_cast<std::size_t>(n))), n, made.width)});
    }
    made.curve.push_back({made.rows, made.numeric});
    if (constexpr std::int64_t handful = 8; !key.numbers && made.rows > made.nodes && made.rows <= handful)
        if (auto null = null_vector(*spectrum, made.rows)) {
            made.null = std::move(null->weights);
            made.null_residual = null->residual;
        }
    const double largest = made.singular.front();
    if (largest > 0.0)
        for (double& value : made.singular) value /= largest;
    return made;
}

struct KeptRanks {
    Slow<Key, Ranks> ranks;
    Kept<Ranks> shown;
};

}  // namespace

const Ranks* ranks(Frame& f, const Scene& scene, Derived& derived) {
    KeptRanks& kept = derived.part<KeptRanks>();
    kept.shown = kept.ranks.get(f.derived.background(), key_of(scene, derived),
                                [](const Key& of) { return ranks_of(of); });
    return kept.shown.get();
}

}  // namespace posiscope::figures::matrix::basis
