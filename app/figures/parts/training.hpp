// training.hpp — what the weights have seen, as the figures draw it: core's Training with its curves on a logarithmic
// scale, kept until what it depends on changes.
#pragma once

#include "app/figures/figure.hpp"
#include "core/encodings/rope_layers.hpp"
#include "core/scaling/trained.hpp"

namespace posiscope::figures {

struct TrainingCurves {
    Result<Training> made = tl::unexpected(Problem{});
    // log₁₀; NaN where a pair does not turn. `trained` and `unscaled` are empty where there is nothing to tell apart.
    std::vector<double> wavelength, unscaled, trained;
    double least = 0.0, most = 0.0;          // of all of them
    std::optional<std::int64_t> below_zero;  // first distance with Σ cos Δω < 0, if a frame can find it
    RopeLayers layers;
    // The other layer types' wavelengths, by their place in layers.types; the present one's is empty.
    std::vector<std::vector<double>> others;
};

const TrainingCurves& training(Derived& derived, const Scene& scene);
inline const TrainingCurves& training(Frame& frame) { return training(frame.derived, frame.scene); }
// B's, where both are seen and B's pairs turn; else null.
const Training* training_of_b(Frame& frame);

// log₁₀ of the wavelengths.
std::vector<double> log_wavelengths(const Spectrum& spectrum);

}  // namespace posiscope::figures
