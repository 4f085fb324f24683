// trained.hpp — which angles the weights have met: those of the trained Scene's frequencies over the trained length.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

// ω_i · trained.length of the trained Scene in radians, one a pair: the far end of the arc that training covered. A whole
// turn or more covers every angle. Empty where no trained length is set. Refused where the trained Scene turns
// nothing, or another number of pairs than `spectrum` has.
Result<std::vector<double>> trained_arcs(const Scene& scene, const Spectrum& spectrum);

// Whether an angle, in radians and of either sign, lies past that arc: a pair shows there what training never did.
bool past_arc(double arc, double angle);

}  // namespace posiscope
