// as_formulas.hpp — a built-in encoding as the formulas of a typed one, ready to be changed (own.hpp).
// Result   the parameters of the typed encoding: its slots, the numbers of their names in `values`, and `from`.
// Error    logits equal the built-in ones to 1e-12 while angles stay below some 10^3 radians: beyond, formulas multiply
//          doubles where the built-in encoding is exact.
// Refused  for tables, networks and four positions for one token: own.not_…, with the reason.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

Result<Json> as_formulas(const Scene& scene);

}  // namespace posiscope
