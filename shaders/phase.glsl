// phase.glsl — exact phase from 32-bit parts, as core/phase/phase.hpp has it.
// A step is (high, low) in units of 2^-64 turns; times an integer it wraps around at whole turns.
// Error    phase_of 2^-32 turns and four of its last bits (7.4e-9 rad), cos_sin 6e-8.

// The upper 32 bits of step · multiple, modulo one turn.
uint phase_of(uvec2 turn_step, uint multiple)
{
    uint a = turn_step.y >> 16;
    uint b = turn_step.y & 0xffffu;
    uint c = multiple >> 16;
    uint d = multiple & 0xffffu;
    return turn_step.x * multiple + a * c + ((a * d) >> 16) + ((b * c) >> 16);
}

// Our own polynomials, since GLSL guarantees no accuracy of sin(): minimax on the quarter turn around 0, to which
// the phase is reduced as an integer.  1.8e-9 and 5.4e-11 before rounding.
vec2 cos_sin(uint phase)
{
    uint quarter = (phase + 0x20000000u) >> 30;
    float x = float(int(phase - (quarter << 30))) * 1.4629180792671596e-9;
    float z = x * x;
    float s = x + x * z * (-0.16666650669295308 + z * (0.008331978663225357 - z * 0.00019495636245447985));
    float c = 1.0 + z * (-0.49999999725108274 + z * (0.041666623324347334 + z * (-0.0013886763794413368 + z * 2.439045070429681e-05)));
    vec2 v = (quarter & 1u) == 0u ? vec2(c, s) : vec2(-s, c);
    return (quarter & 2u) == 0u ? v : -v;
}
