// order.cpp — groups B and C: what attention makes of another order of its words: the Scene's, or else the reversal.
// B25, C-PERM  max |Y′ − Y|: what attention gives at each place, before and after
// C22          max |mean Y′ − mean Y|: what a classifier sees that takes the mean over the places
// Each with the Scene's own encoding and mask; without both only rounding remains of |Y′ − PY|.
#include "core/attention/identities.hpp"
#include "core/claims/measuring.hpp"
#include "core/scene/content.hpp"
#include "core/scene/words.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace posiscope::claims {
namespace {

constexpr double kReordered = 1e-9;  // an output that changes by more has more than another place

Result<Equivariance> reordered(const Case& at, const Scene& scene) {
    const std::int64_t n = content_length(scene);
    const double inner = real(scene.num_heads * head_dim(scene));
    if (auto good = affordable(at, 0.1 * real(n) * (real(scene.d_model) + real(n)) * inner); !good)
        return tl::unexpected(good.error());
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.rbegin(), order.rend(), 0);
    Scene typed = scene;
    if (const auto own = typed.content.parameters.find("order");
        own != typed.content.parameters.end() && !own->empty()) {
        order = order_of(typed.content.parameters);
        *own = Json::array();
    }
    return equivariance(typed, order);
}

std::vector<std::pair<std::string_view, double>> numbers_of(const Equivariance& made) {
    return {{"moved", made.moved}, {"residual", made.residual}, {"pooled", made.pooled}};
}

Result<Residual> outputs_stay(const Case& at) {
    const auto made = reordered(at, at.scene);
    if (!made) return tl::unexpected(made.error());
    Scene masked = at.scene;
    masked.causal = true;
    const auto causal = reordered(at, masked);
    if (!causal) return tl::unexpected(causal.error());
    auto numbers = numbers_of(*made);
    numbers.emplace_back("causal", causal->residual);
    const Residual moved = at_most(made->moved, kExact, std::move(numbers));
    return made->residual > kReordered && !moved.holds() ? in_form("ordered", moved) : moved;
}

Result<Residual> mean_stays(const Case& at) {
    return reordered(at, at.scene).map([](const Equivariance& made) {
        return seen_unless(made.moved <= kExact, at_most(made.pooled, kExact, numbers_of(made)));
    });
}

}  // namespace

std::span<const Measure> order_measures() {
    static constexpr std::array list = {
        Measure{.id = "B25", .unit = {}, .of = outputs_stay},
        Measure{.id = "C-PERM", .unit = {}, .of = outputs_stay},
        Measure{.id = "C22", .unit = {}, .of = mean_stays},
    };
    return list;
}

}  // namespace posiscope::claims
