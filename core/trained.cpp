#include "core/trained.hpp"

#include <cmath>
#include <numbers>

namespace posiscope {

Result<std::vector<double>> trained_arcs(const Scene& scene, const Spectrum& spectrum) {
    if (!scene.trained.length) return std::vector<double>();
    Scene trained = trained_scene(scene);
    trained.length = *scene.trained.length;  // some scalings depend on the length
    auto seen = spectrum_of(trained);
    if (!seen) return tl::unexpected(seen.error());
    if (seen->pairs() != spectrum.pairs())
        return refuse("trained.pairs", {{"pairs", std::to_string(spectrum.pairs())},
                                        {"trained", std::to_string(seen->pairs())}});
    for (double& arc : seen->frequency) arc *= static_cast<double>(trained.length);
    return std::move(seen->frequency);
}

bool past_arc(double arc, double angle) { return arc < 2.0 * std::numbers::pi && std::abs(angle) > arc; }

}  // namespace posiscope
