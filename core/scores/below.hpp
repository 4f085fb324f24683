// below.hpp — how far equal contents are more alike than chance: the sum Σ_i cos(Δ ω_i) over distances Δ.
// Below 0, a key equal to the query scores less than a random one, on average. A base is long enough for a length if that
// happens at no distance within it: 27000 to 4078 for head_dim 128.
// Source   arXiv 2405.14591, Base of RoPE Bounds Context Length.
#pragma once

#include "core/phase/frequencies.hpp"

#include <optional>

namespace posiscope {

// A search for a shown number goes no further.
inline constexpr std::int64_t kFarthestSum = 1 << 16;
inline constexpr double kMostSummed = 512.0 * static_cast<double>(kFarthestSum);  // pairs times distances

// The first distance at which the sum is below 0, up to `limit`; none if it never is. A pair that does not rotate counts 1.
// Error  the sum within 1e-11 · pairs, of exact phases every 256 distances.  Spends 2 units a pair and distance.
std::optional<std::int64_t> first_below_zero(const Spectrum& spectrum, std::int64_t limit);

// The least base, of those 0.1 % apart, for which the sum of head_dim / 2 unscaled pairs stays at 0 or above for every distance
// up to `length`; none up to 1e18.
std::optional<double> least_base(std::int64_t head_dim, std::int64_t length);

}  // namespace posiscope
