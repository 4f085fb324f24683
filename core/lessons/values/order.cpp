// order.cpp — words in another order than typed.
#include "core/lessons/values/value_tables.hpp"

#include "core/attention/identities.hpp"
#include "core/scene/content.hpp"
#include "core/scene/words.hpp"

#include <array>

namespace posiscope::lessons {
namespace {

// The words as typed against the Scene's order of them.
template <class Of>
Result<double> of_order(const Scene& scene, Of of) {
    constexpr std::int64_t widest =
        1024;  // random projections are width² numbers, made anew at each step of a drag
    if (scene.content.kind != "tokens" || scene.d_model > widest) return no_value("order");
    std::vector<std::int64_t> order = order_of(scene.content.parameters);
    Scene typed = scene;
    typed.content.parameters["order"] = Json::array();
    const auto found = equivariance(typed, order);
    if (!found) return tl::unexpected(found.error());
    return of(*found);
}
Result<double> moved(const Scene& scene) {
    return of_order(scene, [](const Equivariance& e) { return e.moved; });
}
Result<double> order_residual(const Scene& scene) {
    return of_order(scene, [](const Equivariance& e) { return e.residual; });
}
Result<double> pooled(const Scene& scene) {
    return of_order(scene, [](const Equivariance& e) { return e.pooled; });
}

constexpr std::array kOrderValues = {
    Value{"order.moved", false, moved},
    Value{"order.residual", false, order_residual},
    Value{"order.pooled", false, pooled},
};

}  // namespace

std::span<const Value> order_values() { return kOrderValues; }

}  // namespace posiscope::lessons
