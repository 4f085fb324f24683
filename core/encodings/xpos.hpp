// xpos.hpp — xPos's formulas, independent of a Scene (see xpos.cpp).
// Range    head_dim even and at least 2, 1 < base ≤ 1e18, scale_base ≥ 1.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

// growth_i = ln ζ_i / scale_base
Spectrum xpos_spectrum(double base, std::int64_t head_dim, double scale_base);

// s = −(L)//2 with Python's floor, L counting any offset in front.
std::int64_t xpos_centre(std::int64_t length);

}  // namespace posiscope
