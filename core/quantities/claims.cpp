// claims.cpp — the measures of the notes' claims (core/claims) on the Scene.
// claims  of each claim, by its id, [value, least, most, within]: what is measured, the range in which it would lie were the
//         claim true of this Scene, and 1 or 0. A value within does not make a false claim true: it may be that this Scene
//         cannot tell.  null: no number decides it (core/claims says which), the encoding has none,
//         or it would take too long.
#include "core/claims/claims.hpp"
#include "core/quantities/quantities.hpp"

#include <algorithm>
#include <limits>

namespace posiscope {
namespace {

Result<std::vector<Shape>> claim_shapes(const Scene&) {
    std::vector<Shape> made;
    for (const std::string_view id : claim_ids()) {
        const Measure* one = find_measure(id);
        made.push_back({id, {4}, one == nullptr ? std::string_view() : one->unit});
    }
    return made;
}

Result<void> fill_claims(const Scene& scene, std::span<Array> arrays) {
    for (Array& array : arrays) {
        std::fill(array.values.begin(), array.values.end(), std::numeric_limits<double>::quiet_NaN());
        const Measure* one = find_measure(array.shape.name);
        if (one == nullptr) continue;
        if (const auto made = measure(*one, scene))
            array.values = {made->value, made->least, made->most, made->holds() ? 1.0 : 0.0};
    }
    return {};
}

}  // namespace

extern const Quantity kClaims{"claims", claim_shapes, fill_claims};

}  // namespace posiscope
