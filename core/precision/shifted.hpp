// shifted.hpp — a key that is rotated again and again, as a cache does that shifts its rows (positions/positions.hpp,
// context_shift): each shift multiplies by the cosine and sine of one step, all in a number format.
// (x, y) ← (rounded(rounded(x c) − rounded(y s)), rounded(rounded(x s) + rounded(y c))),  c, s = rounded cos, sin of kω
// Begins as (1, 0), exactly. Error: its distance from where n shifts by k put it, exact to 1e-15.
#pragma once

#include "core/phase/frequencies.hpp"
#include "core/precision/precision.hpp"

#include <vector>

namespace posiscope {

// After 0 … errors.size() − 1 shifts by `offset`, the largest of all pairs. Spends some 100 units a pair and shift.
std::vector<double> shifted_errors(const Spectrum& spectrum, Precision precision, std::int64_t offset,
                                   std::size_t count);

}  // namespace posiscope
