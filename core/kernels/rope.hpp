// rope.hpp — rotates queries or keys by their positions in float32, at the speed of a copy.
// (a, b) → m (a cos φ − b sin φ, a sin φ + b cos φ),  φ = (first + row) ω_i,  m the attention factor
// Shapes   x, out [heads, rows, head_dim], row-major; any alignment. The first 2·pairs features are rotated, pair i
//          at (2i, 2i + 1) or (i, i + pairs); the rest is copied. out may be x itself; it must not overlap it otherwise.
// Range    0 ≤ first, first + rows ≤ 2^31.  Error  ≤ 1.1e-7 of the rotated pair's length.
// Source   rotation.hpp, the float64 version.
#pragma once

#include "core/encodings/encodings.hpp"
#include "core/kernels/workers.hpp"

#include <span>

namespace posiscope {

struct RopeShape {
    PairLayout layout = PairLayout::interleaved;
    std::int64_t heads = 1;
    std::int64_t rows = 0;
    std::int64_t head_dim = 0;
    std::int64_t first = 0;
};

void rope(const Spectrum& spectrum, const RopeShape& shape, std::span<const float> x, std::span<float> out,
          Workers& workers);

}  // namespace posiscope
