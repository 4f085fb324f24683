// phase_cycle.hpp — the cyclic colours of the phase field, as a Fourier series in the angle φ:
// sRGB = c0 + c1 cos φ + c2 sin φ + c3 cos 2φ + c4 sin 2φ.  No arc tangent is needed to draw it.
#pragma once

namespace posiscope::gl {

inline constexpr float kPhaseCycle[5][3] = {
    {0.60F, 0.55F, 0.58F},
    {0.30F, 0.00F, -0.20F},
    {0.05F, 0.20F, -0.15F},
    {0.00F, 0.00F, 0.00F},
    {0.00F, 0.00F, 0.00F},
};

}  // namespace posiscope::gl
