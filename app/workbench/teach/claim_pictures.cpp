#include "app/workbench/teach/claim_pictures.hpp"

#include "app/figures/figure.hpp"
#include "app/workbench/window/benches.hpp"

#include <algorithm>
#include <stdexcept>

namespace posiscope::workbench {
namespace {

Scene in_its_bench(std::string_view id, const Json& partial, std::string_view figure, std::string_view mode) {
    auto scene = scene_of(partial);
    if (!scene) throw std::logic_error(fmt::format("{}: {}", id, to_string(scene.error())));  // our own file
    if (!mode.empty()) figures::set_view_value(*scene, figure, "mode", std::string(mode));
    const auto has_it = [&](const Bench& bench) {
        const auto ids = figures_of(bench);
        return std::ranges::find(ids, figure) != ids.end();
    };
    // A scene may name the one of several benches that fits.
    if (const Bench* own = find_bench(scene->bench); own != nullptr && has_it(*own)) return std::move(*scene);
    if (const auto bench = std::ranges::find_if(benches(), has_it); bench != benches().end())
        scene->bench = bench->id;
    return std::move(*scene);
}

}  // namespace

Scene shown(const Claim& claim) { return in_its_bench(claim.id, claim.scene, claim.figure, claim.mode); }

Scene shown(const Section& section) {
    return in_its_bench(section.id, section.scene, section.figure, section.mode);
}

}  // namespace posiscope::workbench
