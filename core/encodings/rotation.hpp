// rotation.hpp — rotates feature pairs by angles, for every rotary encoding.
// (a, b) → m (a cos φ − b sin φ, a sin φ + b cos φ) for each pair; features past the last pair are unchanged.
// Shapes   x [≥ 2·pairs]; pair i is at (2i, 2i+1) or (i, i + pairs).  Error ≤ 2 ulp of the pair's length.
// Source   arXiv 2104.09864.
#pragma once

#include "core/encodings/encodings.hpp"

#include <array>

namespace posiscope {

void turn_pair(std::span<double> x, PairLayout layout, std::int64_t pairs, std::int64_t pair, double cosine,
               double sine);

// Pair i rotated so many positions on.  Error  2^-66 turns where that is a whole number, else 2^-53 of the angle.
struct PairAngle {
    double cos = 1.0, sin = 0.0;
    double radians = 0.0;  // from −π to below π
};
bool is_whole(double places);  // within what a phase is exact for
PairAngle angle_at(const Spectrum& spectrum, std::size_t pair, double places);

// The logit of two rotated sides: pair i adds q_i k̄_i e^(iDω_i), features past the last pair their product; everything
// times `scale`, the pairs also times the squared attention factor.
LogitWaves rotary_waves(const Spectrum& spectrum, PairLayout layout, double scale, const Contents& contents);

// The permutation between the layouts: half(x[perm]) = interleaved(x)[perm], perm = evens, then odds. Features past
// 2·pairs stay. To convert a checkpoint between layouts, permute the rows of W_q and W_k with it.
std::vector<std::int64_t> to_halves(std::int64_t pairs, std::int64_t features);

// --- More than one axis ----------------------------------------------------------------------------------

// The axis (0 = t, 1 = h, 2 = w, 3 = ggml's fourth block) that gives pair i its position.
//   sections     the first sections[0] pairs t, the next sections[1] h, …; repeats past their sum
//   interleaved  axis i mod 3 while i < 3·sections[axis], else `rest` (t in Hugging Face, the fourth in ggml)
std::vector<int> mrope_axes(std::span<const std::int64_t> sections, std::int64_t pairs, bool interleaved,
                            int rest = 0);

using AxisPositions = std::array<std::int64_t, 4>;  // t, h, w, and the fourth

// The axes of a token in a t × h × w block that tokens fill row by row: (t, h, w), or of four axes (position, w, h, t).
AxisPositions grid_positions(std::span<const std::int64_t> grid, std::size_t axes, std::int64_t position);
// The column and the row of a token in a plane of that width, or the row first.
AxisPositions plane_positions(std::int64_t width, bool rows_first, std::int64_t position);

// Every pair by ω_i times the place on its axis, times the attention factor, or e^(growth_i · from_centre) where it grows.
// Without axes all have the first place.
using Places = std::array<double, 4>;
Places places_of(const AxisPositions& positions);
void turn_features(std::span<double> x, const Spectrum& spectrum, PairLayout layout,
                   std::span<const int> axes, const Places& places, double from_centre = 0.0);

// Two axes: the first half of the pairs rotates with the first axis, the second half with the second, both with
// frequencies base^(−4i/head_dim), i < head_dim/4.  Source  rope-vit compute_axial_cis, Qwen2-VL's vision tower.
Spectrum axial_spectrum(double base, std::int64_t head_dim);
std::vector<int> axial_axes(std::int64_t head_dim);

}  // namespace posiscope
