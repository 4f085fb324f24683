#include "core/scaling/trained.hpp"

#include "core/encodings/rope_settings.hpp"
#include "core/encodings/turning.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope {
namespace {

constexpr double kSame = 1e-12;  // ratios closer than this are one ratio: rounding, not scaling
constexpr double kChanged = 0.01, kOff = 0.25;

std::string method_of(const SpectrumInput& scene) {
    if (!takes_scalings(scene)) return {};
    const auto settings = rope_settings(scene);
    return settings ? std::string(settings->chosen.scaling->rope_type) : std::string();
}

// The trained Scene at the trained length, since some scalings depend on it, and in the layer that is shown.
SpectrumInput as_trained(const SpectrumInput& scene) {
    SpectrumInput trained = trained_input(scene);
    trained.length = scene.trained.length.value_or(scene.length);
    if (!takes_scalings(scene) || !takes_scalings(trained)) return trained;
    SpectrumInput here = trained;
    for (const char* key : {"layer", "layer_type"})
        if (const auto given = scene.encoding.parameters.find(key); given != scene.encoding.parameters.end())
            here.encoding.parameters[key] = *given;
    return spectrum_of(here) ? here : trained;
}

// The spectrum of the trained settings; refused if its number of pairs differs from this one.
Result<Spectrum> trained_spectrum(const SpectrumInput& trained, std::size_t pairs) {
    auto spectrum = spectrum_of(trained);
    if (spectrum && spectrum->pairs() != pairs)
        return refuse("trained.pairs",
                      {{"pairs", std::to_string(pairs)}, {"trained", std::to_string(spectrum->pairs())}});
    return spectrum;
}

// Over a length, in radians.
Result<std::vector<double>> arcs_over(const SpectrumInput& scene, const Spectrum& spectrum,
                                      std::int64_t length) {
    return reaches_of(scene, length).map([&](std::vector<double> arcs) {
        for (std::size_t i = 0; i < arcs.size(); ++i) arcs[i] *= spectrum.frequency[i];
        return arcs;
    });
}

std::vector<double> in_turns(std::vector<double> arcs) {
    for (double& arc : arcs) arc /= 2.0 * std::numbers::pi;
    return arcs;
}

void find_unseen(Training& training) {
    constexpr double kTurn = 2.0 * std::numbers::pi;
    training.unseen.resize(training.turns.size());
    for (std::size_t i = 0; i < training.turns.size(); ++i) {
        training.unseen[i] = past_arc(kTurn * training.trained_turns[i], kTurn * training.turns[i]);
        if (!training.unseen[i]) continue;
        if (training.new_angles.count++ == 0) training.new_angles.first = i;
        training.new_angles.last = i;
    }
}

}  // namespace

Result<std::vector<double>> trained_arcs(const SpectrumInput& scene, const Spectrum& spectrum) {
    if (!scene.trained.length) return std::vector<double>();
    const SpectrumInput before = as_trained(scene);
    return trained_spectrum(before, spectrum.pairs()).and_then([&](const Spectrum& trained) {
        return arcs_over(before, trained, *scene.trained.length);
    });
}

bool past_arc(double arc, double angle) { return arc < 2.0 * std::numbers::pi && std::abs(angle) > arc; }

Slowing slowing(const Spectrum& scaled, const Spectrum& unscaled) {
    Slowing made;
    made.ratio.reserve(scaled.pairs());
    for (std::size_t i = 0; i < scaled.pairs(); ++i) {
        const double omega = unscaled.frequency[i];
        const double ratio = omega == scaled.frequency[i] ? 1.0 : scaled.frequency[i] / omega;
        made.ratio.push_back(ratio);
        if (ratio > 0.0) made.factor = std::max(made.factor, 1.0 / ratio);
    }
    for (const double ratio : made.ratio) {
        if (ratio == 0.0) ++made.stopped;
        else if (std::abs(ratio - 1.0) <= kSame) ++made.kept;
        else if (std::abs(ratio * made.factor - 1.0) <= kSame) ++made.divided;
        else ++made.blended;
    }
    return made;
}

Deviation deviation(const Spectrum& now, const Spectrum& trained, std::int64_t length) {
    Deviation made;
    for (std::size_t i = 0; i < now.pairs(); ++i) {
        const double difference = std::abs(now.frequency[i] - trained.frequency[i]);
        if (difference > kChanged * trained.frequency[i]) ++made.changed;
        const double turns = difference * static_cast<double>(length) / (2.0 * std::numbers::pi);
        if (turns > kOff) ++made.off;
        if (turns > made.worst) {
            made.worst = turns;
            made.worst_pair = i;
        }
    }
    return made;
}

Result<Training> training_of(const SpectrumInput& scene) {
    auto now = spectrum_of(scene);
    if (!now) return tl::unexpected(now.error());
    auto unscaled = unscaled_spectrum_of(scene);
    if (!unscaled) return tl::unexpected(unscaled.error());
    Training made;
    made.now = std::move(*now);
    made.unscaled = std::move(*unscaled);
    made.slowing = slowing(made.now, made.unscaled);
    made.method = method_of(scene);
    made.reach = reach_of(scene);
    auto arcs = arcs_over(scene, made.now, scene.length);
    if (!arcs) return tl::unexpected(arcs.error());
    made.turns = in_turns(std::move(*arcs));
    if (!scene.trained.length && scene.trained.scene.empty()) return made;

    const SpectrumInput before = as_trained(scene);
    auto trained = trained_spectrum(before, made.now.pairs());
    if (!trained) return tl::unexpected(trained.error());
    made.trained = std::move(*trained);
    made.trained_slowing = slowing(*made.trained, *unscaled_spectrum_of(before));
    made.trained_method = method_of(before);
    made.deviation = deviation(made.now, *made.trained, made.reach);
    if (!scene.trained.length) return made;
    made.trained_reach = reach_of(before, *scene.trained.length);
    auto trained_arcs = arcs_over(before, *made.trained, *scene.trained.length);
    if (!trained_arcs) return tl::unexpected(trained_arcs.error());
    made.trained_turns = in_turns(std::move(*trained_arcs));
    find_unseen(made);
    return made;
}

}  // namespace posiscope
