// shift.hpp — the shift by k as a linear map: PE(p + k) = M_k PE(p), one 2×2 rotation per pair.
// Sinusoidal pairs are (sin φ, cos φ): M_k = [[cos kω, sin kω], [−sin kω, cos kω]], clockwise with the first
// component to the right and the second up.  Rotary pairs are (cos φ, sin φ), the unit feature (1, 0) rotated:
// R_k = [[cos kω, −sin kω], [sin kω, cos kω]], counter-clockwise on the same axes.
// M_a M_b = M_{a+b}, M_{−k} = M_kᵀ, det = 1.  Error  ≤ 4e-16 in each component for |k|, p < 2^31.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

struct PairPoint {
    double first = 0.0;
    double second = 0.0;
};

struct Block {  // row-major
    double a = 1.0, b = 0.0, c = 0.0, d = 1.0;
};

PairPoint pair_point(const Encoding& encoding, Turn angle);
Block shift_block(const Encoding& encoding, Turn turned);
PairPoint operator*(const Block& block, PairPoint point);

// Checks one pair in float64: the encoding's value at p + k against M_k applied to its value at p.
struct ShiftCheck {
    PairPoint before;    // at p
    PairPoint actual;    // at p + k
    PairPoint computed;  // M_k applied to `before`
    Block block;
    double max_abs_error() const;
};
ShiftCheck check_shift(const Encoding& encoding, Step step, std::int64_t position, std::int64_t offset);

}  // namespace posiscope
