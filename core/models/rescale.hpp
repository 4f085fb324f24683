// rescale.hpp — another scaling for the same weights, at the same length.
#pragma once

#include "core/scaling/scaling.hpp"
#include "core/scene/scene.hpp"

namespace posiscope {

// The method that the Scene's layer runs with, "default" without a scaling; empty where the encoding has none.
std::string_view scaling_method(const Scene& scene);

// Where its settings stand, for --set: "encoding.rope_scaling", or the one for the layer's type below it.
std::string scaling_path(const Scene& scene);

// The encoding with that method in place of the present one, so set that the trained length reaches the Scene's: the
// trained dictionary where it is the trained method, else factor (or alpha) = length / original, at least 1. What a
// method cannot know (LongRoPE's lists) is left out, and the Scene that is made of it is refused with a sentence.
Json rescaled_encoding(const Scene& scene, std::string_view rope_type);

}  // namespace posiscope
