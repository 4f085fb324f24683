// basis_gaps.cpp — the least distance between two rows so many positions apart.
#include "app/figures/matrix/basis.hpp"

#include "core/attention/identities.hpp"
#include "core/cost.hpp"
#include "core/scores/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace posiscope::figures::matrix::basis {
namespace {

constexpr std::int64_t kMostGaps = 0x1p18;   // distances in a curve that is drawn in every frame
constexpr std::int64_t kMostCompared = 384;  // rows of numbers
constexpr double kApart = 1.0;               // units of a difference of two numbers

// Four sums side by side: a single one would wait for every addition.
double squared_distance(std::span<const double> x, std::span<const double> y) {
    std::array<double, 4> sums{};
    for (std::size_t i = 0; i < x.size(); ++i) sums[i % 4] += (x[i] - y[i]) * (x[i] - y[i]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

Gaps gaps_of(const Key& key) {
    Gaps made;
    made.least = std::numeric_limits<double>::infinity();
    if (key.numbers) {
        const auto table = numbers(*key.input, kMostCompared, 1);
        if (!table) {
            made.problem = table.error();
            return made;
        }
        made.rows = static_cast<std::int64_t>(table->rows);
        made.gap.assign(table->rows - 1, std::numeric_limits<double>::infinity());
        std::vector<double> rows(table->values.size());  // one after the other, since every two are compared
        for (std::size_t c = 0; c < table->columns; ++c)
            for (std::size_t r = 0; r < table->rows; ++r) rows[r * table->columns + c] = (*table)(r, c);
        const auto row = [&](std::size_t r) {
            return std::span(rows).subspan(r * table->columns, table->columns);
        };
        for (std::size_t i = 0; i < table->rows; ++i)
            for (std::size_t j = 0; j < i; ++j) {
                spend(kApart * static_cast<double>(table->columns));
                made.gap[i - j - 1] =
                    std::min(made.gap[i - j - 1], std::sqrt(squared_distance(row(i), row(j))));
            }
    } else {
        const auto spectrum = spectrum_of(*key.input);
        if (!spectrum) {
            made.problem = spectrum.error();
            return made;
        }
        made.rows = std::min(key.input->length, kMostGaps);
        if (made.rows > 1) {
            ScoreInput scene{*key.input};
            made.gap.resize(static_cast<std::size_t>(made.rows - 1));
            score_curve(score_form(scene, *spectrum, ScoreKind::norm), *spectrum, 1, 1, made.gap);
        }
    }
    for (std::size_t i = 0; i < made.gap.size(); ++i) {
        made.most = std::max(made.most, made.gap[i]);
        if (made.gap[i] < made.least) {
            made.least = made.gap[i];
            made.distance = static_cast<std::int64_t>(i) + 1;
        }
    }
    if (!key.numbers && !made.gap.empty())  // without the rounding of the curve
        made.least = length_of_distance(*spectrum_of(*key.input), made.distance);
    return made;
}

struct KeptGaps {
    Slow<Key, Gaps> gaps;
    Kept<Gaps> shown;
};

}  // namespace

const Gaps* gaps(Frame& f, const Scene& scene, Derived& derived) {
    KeptGaps& kept = derived.part<KeptGaps>();
    kept.shown = kept.gaps.get(f.derived.background(), key_of(scene, derived),
                               [](const Key& of) { return gaps_of(of); });
    return kept.shown.get();
}

}  // namespace posiscope::figures::matrix::basis
