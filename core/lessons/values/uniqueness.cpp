// uniqueness.cpp — how far the rows and the columns of the table are from equal.
#include "core/lessons/values/value_tables.hpp"

#include "core/attention/identities.hpp"
#include "core/scores/score.hpp"

#include <algorithm>
#include <array>

namespace posiscope::lessons {
namespace {

bool small_table(const Scene& scene) {
    return scene.length <= kLargestTable / std::max<std::int64_t>(scene.d_model, 1);
}

Result<double> gap(const Scene& scene) {
    if (scene.length > kFarthest) return no_value("gap.least");
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const auto found = least_gap(s, scene.length);
        return found.length;
    });
}
// Σ_{p<n} sin² of the column that has least of it: n/2 if columns were orthogonal with equal norms.
Result<double> least_column(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) {
        return orthogonality(s, scene.length).least_sin * static_cast<double>(scene.length) / 2.0;
    });
}
Result<double> rank(const Scene& scene) {
    if (!small_table(scene)) return no_value("rank");
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const auto found = table_rank(s, scene.length);
        if (!found) return tl::unexpected(found.error());
        return static_cast<double>(found->rank);
    });
}

constexpr std::array kUniquenessValues = {
    Value{"gap.least", true, gap},
    Value{"columns.least", true, least_column},
    Value{"rank", true, rank},
};

}  // namespace

std::span<const Value> uniqueness_values() { return kUniquenessValues; }

}  // namespace posiscope::lessons
