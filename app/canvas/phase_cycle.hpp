// phase_cycle.hpp — the cyclic colours of the phase field, as a Fourier series in the angle φ:
// sRGB = c0 + c1 cos φ + c2 sin φ + c3 cos 2φ + c4 sin 2φ.  No arc tangent is needed to draw it.
// Fitted to a circle in Oklab (hue 65° + φ, lightness 0.68 + 0.085 cos φ, chroma near 0.1): opposite angles differ in
// lightness too, so they stay apart without colour.
#pragma once

namespace posiscope::canvas {

inline constexpr float kPhaseCycle[5][3] = {
    {0.5872F, 0.5810F, 0.5708F},   {0.2940F, 0.0624F, -0.1431F}, {-0.1793F, 0.0830F, -0.1025F},
    {0.0099F, -0.0007F, -0.0275F}, {0.0186F, 0.0087F, -0.0108F},
};

}  // namespace posiscope::canvas
