// basis_gaps.cpp — the least distance between two rows so many positions apart.
#include "app/figures/matrix/basis_values.hpp"

#include "core/attention/identities.hpp"
#include "core/cost.hpp"
#include "core/scores/score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope::figures::matrix::basis {
namespace {

constexpr double kMostGaps = 0x1p26;

double gaps_cost(const Key& key) {
    const double n = static_cast<double>(key.input->length), d = static_cast<double>(key.input->d_model);
    return key.numbers ? 0.5 * std::min(n, 384.0) * std::min(n, 384.0) * d
                       : std::min(1.4 * n * 0.5 * d, 1.4 * kMostGaps);
}

Gaps gaps_of(const Key& key) {
    Gaps made;
    made.least = std::numeric_limits<double>::infinity();
    if (key.numbers) {
        const auto table = numbers(*key.input, 384, 1);
        if (!table) {
            made.problem = table.error();
            return made;
        }
        made.rows = static_cast<std::int64_t>(table->rows);
        made.gap.assign(table->rows - 1, std::numeric_limits<double>::infinity());
        for (std::size_t i = 0; i < table->rows; ++i)
            for (std::size_t j = 0; j < i; ++j) {
                double squares = 0.0;
                for (std::size_t c = 0; c < table->columns; ++c) {
                    const double between = (*table)(i, c) - (*table)(j, c);
                    squares += between * between;
                }
                made.gap[i - j - 1] = std::min(made.gap[i - j - 1], std::sqrt(squares));
            }
    } else {
        const auto spectrum = spectrum_of(*key.input);
        if (!spectrum) {
            made.problem = spectrum.error();
            return made;
        }
        const auto pairs = static_cast<double>(spectrum->pairs());
        made.rows = std::min(key.input->length,
                             std::max<std::int64_t>(2, static_cast<std::int64_t>(kMostGaps / pairs)));
        if (made.rows > 1) {
            ScoreInput scene{*key.input};
            made.gap.resize(static_cast<std::size_t>(made.rows - 1));
            score_curve(score_form(scene, *spectrum, ScoreKind::norm), *spectrum, 1, 1, made.gap);
        }
    }
    for (std::size_t i = 0; i < made.gap.size(); ++i)
        if (made.gap[i] < made.least) {
            made.least = made.gap[i];
            made.distance = static_cast<std::int64_t>(i) + 1;
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
    kept.shown = kept.gaps.get(f.derived.background(), key_of(scene, derived), [](const Key& of) {
        spend(table_cost(of) + gaps_cost(of));
        return gaps_of(of);
    });
    return kept.shown.get();
}

}  // namespace posiscope::figures::matrix::basis
