// scaling.hpp — how RoPE's frequencies are changed to reach past the trained length, and the list of methods.
// To add one: a file beside this that fills in a Scaling, and its line in scaling.cpp.
// Settings come as Hugging Face's rope_scaling dictionary: {"rope_type": "linear", "factor": 4}.
#pragma once

#include "core/frequencies.hpp"
#include "core/scene.hpp"

namespace posiscope {

struct Scaling {
    std::string_view rope_type;
    std::span<const Parameter> parameters;
    // The scaled spectrum of `rotary_dim` features; `settings` is checked and complete.
    Result<Spectrum> (*spectrum)(const Scene& scene, std::int64_t rotary_dim, const Json& settings);
};

std::span<const Scaling* const> scalings();

// `settings` null means rope_type "default".
std::optional<Problem> check_scaling(const Json& settings);
Result<Spectrum> scaled_spectrum(const Scene& scene, std::int64_t rotary_dim, const Json& settings);

// ω_i = base^(−2i/r), unscaled: what every method starts from.
Spectrum unscaled_spectrum(const Scene& scene, std::int64_t rotary_dim);

}  // namespace posiscope
