#include "app/figures/parts/training.hpp"

#include "core/encodings/turning.hpp"
#include "core/scores/below.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace posiscope::figures {
namespace {

void widen(TrainingCurves& curves, std::span<const double> logs) {
    for (const double value : logs)
        if (std::isfinite(value)) {
            curves.least = std::min(curves.least, value);
            curves.most = std::max(curves.most, value);
        }
}

constexpr std::int64_t kMostInAFrame = 4'000'000;  // pairs times distances that a frame looks at

// The spectrum that another layer type has in this Scene; empty where it cannot be told.
std::vector<double> other_type(const SpectrumInput& scene, const std::string& type) {
    SpectrumInput other = scene;
    other.encoding.parameters["layer_type"] = type;
    const auto spectrum = spectrum_of(other);
    return spectrum ? log_wavelengths(*spectrum) : std::vector<double>();
}

TrainingCurves make(const SpectrumInput& scene) {
    TrainingCurves curves;
    curves.made = training_of(scene);
    if (!curves.made) return curves;
    const Training& made = *curves.made;
    curves.wavelength = log_wavelengths(made.now);
    if (made.slowing.changes()) curves.unscaled = log_wavelengths(made.unscaled);
    if (made.trained) curves.trained = log_wavelengths(*made.trained);
    if (!unsteady(scene))
        curves.below_zero = first_below_zero(
            made.now, std::min<std::int64_t>(
                          kFarthestSum, kMostInAFrame / static_cast<std::int64_t>(made.now.pairs() + 1)));
    curves.layers = rope_layers(scene);
    for (std::size_t t = 0; t < curves.layers.types.size(); ++t)
        curves.others.push_back(static_cast<int>(t) == curves.layers.present
                                    ? std::vector<double>()
                                    : other_type(scene, curves.layers.types[t]));
    curves.least = std::numeric_limits<double>::infinity();
    curves.most = -curves.least;
    for (const auto* logs : {&curves.wavelength, &curves.unscaled, &curves.trained}) widen(curves, *logs);
    for (const auto& logs : curves.others) widen(curves, logs);
    if (!(curves.least <= curves.most)) curves.least = curves.most = 1.0;  // nothing turns at all
    return curves;
}

}  // namespace

std::vector<double> log_wavelengths(const Spectrum& spectrum) {
    std::vector<double> logs(spectrum.pairs());
    for (std::size_t i = 0; i < logs.size(); ++i)
        logs[i] = spectrum.frequency[i] > 0.0 ? std::log10(2.0 * std::numbers::pi / spectrum.frequency[i])
                                              : std::nan("");
    return logs;
}

const TrainingCurves& training(Derived& derived, const Scene& scene) {
    return *derived.part<Memo<SpectrumInput, TrainingCurves>>().get(
        scene, [](const SpectrumInput& input) { return make(input); });
}

const Training* training_of_b(Frame& frame) {
    if (frame.other == nullptr) return nullptr;
    const TrainingCurves& curves = training(frame.other->derived, frame.other->scene);
    return curves.made ? &*curves.made : nullptr;
}

}  // namespace posiscope::figures
