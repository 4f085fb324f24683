// terms.cpp — the term p·p′ of attention, and scores of mixed layouts.
#include "core/lessons/values/value_tables.hpp"

#include "core/attention/expansion.hpp"
#include "core/attention/identities.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace posiscope::lessons {
namespace {

struct Diagonal {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    void add(double value) { least = std::min(least, value), most = std::max(most, value); }
    double spread() const { return most - least; }
};

Result<std::vector<Diagonal>> position_diagonals(const Scene& scene) {
    if (attended(scene).length > 512 || scene.d_model > 1024)
        return refuse("lesson.no_value", {{"name", "pp.spread"}});
    const auto parts = expansion(scene);
    if (!parts) return tl::unexpected(parts.error());
    const auto n = static_cast<std::size_t>(parts->shape.keys);
    std::vector<Diagonal> diagonals(2 * n - 1);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) diagonals[i + n - 1 - j].add(parts->position_position[i * n + j]);
    return diagonals;
}
Result<double> position_spread(const Scene& scene) {
    const auto diagonals = position_diagonals(scene);
    if (!diagonals) return tl::unexpected(diagonals.error());
    double most = 0.0;
    for (const Diagonal& diagonal : *diagonals) most = std::max(most, diagonal.spread());
    return most;
}
template <bool Most>
Result<double> position_extreme(const Scene& scene) {
    const auto diagonals = position_diagonals(scene);
    if (!diagonals) return tl::unexpected(diagonals.error());
    const auto n = static_cast<std::int64_t>((diagonals->size() + 1) / 2);
    if (std::abs(scene.offset) >= n) return no_value("pp.least");
    const Diagonal& diagonal = (*diagonals)[static_cast<std::size_t>(scene.offset + n - 1)];
    return Most ? diagonal.most : diagonal.least;
}

// A query of one layout against a key of the other at p and p + k.
template <auto Member>
Result<double> mixed(const Scene& scene) {
    const auto found = mixed_scores(scene, scene.position + scene.offset, scene.position);
    if (!found) return tl::unexpected(found.error());
    return (*found).*Member;
}

constexpr std::array kTermsValues = {
    Value{"pp.spread", true, position_spread},
    Value{"pp.least", true, position_extreme<false>},
    Value{"pp.most", true, position_extreme<true>},
    Value{"mixed.score", false, mixed<&MixedScores::mixed>},
    Value{"mixed.interleaved", false, mixed<&MixedScores::interleaved>},
    Value{"mixed.half", false, mixed<&MixedScores::half>},
};

}  // namespace

std::span<const Value> term_values() { return kTermsValues; }

}  // namespace posiscope::lessons
