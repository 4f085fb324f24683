#include "app/workbench/claims.hpp"

#include "app/figures/figure.hpp"
#include "app/workbench/benches.hpp"

#include <algorithm>
#include <stdexcept>

namespace posiscope::workbench {

Scene shown(const Claim& claim) {
    auto scene = scene_of(claim);
    if (!scene) throw std::logic_error(claim.id + ": " + to_string(scene.error()));  // our own file
    if (!claim.mode.empty()) figures::set_view_value(*scene, claim.figure, "mode", claim.mode);
    const auto has_it = [&](const Bench& bench) {
        const auto ids = figures_of(bench);
        return std::ranges::find(ids, std::string_view(claim.figure)) != ids.end();
    };
    if (const auto bench = std::ranges::find_if(benches(), has_it); bench != benches().end())
        scene->bench = bench->id;
    return std::move(*scene);
}

}  // namespace posiscope::workbench
