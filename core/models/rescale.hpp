// rescale.hpp — a different scaling for the same weights, at the same length.
#pragma once

#include "core/scaling/scaling.hpp"
#include "core/scene/scene.hpp"

namespace posiscope {

// The method in use in the Scene's layer, "default" without a scaling; empty for an encoding without scalings.
std::string_view scaling_method(const SpectrumInput& scene);

// The path of its settings for --set: "encoding.rope_scaling", or the one for the layer's type below it.
std::string scaling_path(const SpectrumInput& scene);

// factor × original_max_position_embeddings of YaRN, which is for texts of that length; none for other methods.
std::optional<std::int64_t> scaled_length(const SpectrumInput& scene);

// The encoding as it is without any scaling: what else its objects hold, such as a layer's own base, stays.
Json unscaled_encoding(const SpectrumInput& scene);

// The encoding with that method instead, set so that it covers the Scene's length: the trained object for the trained
// method, else factor (or alpha) = length / original, at least 1. Settings that cannot be derived (LongRoPE's lists) are
// left out, and the resulting Scene is refused with a sentence.
Json rescaled_encoding(const Scene& scene, std::string_view rope_type);

}  // namespace posiscope
