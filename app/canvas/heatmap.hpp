// heatmap.hpp — a heatmap as a value: its view, its data and its colours.
#pragma once

#include "core/fields/fields.hpp"

#include <cstdint>
#include <span>

namespace posiscope::canvas {

struct HeatmapView : FieldView {
    double range = 1.0;                   // |value| at full colour
    std::uint32_t negative = 0xffe9b456;  // 0xAABBGGRR
    std::uint32_t zero = 0xff201c1a;
    std::uint32_t positive = 0xff009fe6;
    bool borders = true;  // between cells of 12 px and more, in full from 24 px on
    std::uint32_t border = 0x60808080;

    bool operator==(const HeatmapView&) const = default;
};

// A key that is a function of the numbers: equal numbers have equal keys, others differ but for one case in 2^64.
// Whoever makes the samples takes it once, so that a frame need not compare megabytes to see that nothing has changed.
std::uint64_t samples_key(std::span<const float> samples);

// Everything that is drawn. The spans need to last until the call that draws it returns.
struct Heatmap {
    HeatmapView view;
    FieldData data;
    std::uint64_t samples_key = 0;  // of data.samples
    // The pixels that show samples, and the rows of them that are left out before and after; 0: one for each sample.
    int wide = 0, high = 0, above = 0, below = 0;
};

// The colour of an angle (in turns) in the phase field, where the mean unit vector is `magnitude` long: for
// the colour bar.  As the shader computes it, to 1/255.
std::uint32_t phase_colour(double turns, double magnitude, std::uint32_t zero);

// The colour of a sample, as the shaders compute it, to 1/255; 0 where there is none.
std::uint32_t heatmap_colour(const HeatmapView& view, const FieldSampler::Sample& sample);

// How strongly borders between cells show, 0 … 1, in a view whose cells are so large (px).
double border_strength(const HeatmapView& view);

// The cyclic colours of the phase field, as a Fourier series in the angle φ:
// sRGB = c0 + c1 cos φ + c2 sin φ + c3 cos 2φ + c4 sin 2φ.  No arc tangent is needed to draw it.
// Fitted to a circle in Oklab (hue 65° + φ, lightness 0.68 + 0.085 cos φ, chroma near 0.1): opposite angles differ in
// lightness too, so they stay apart without colour.
inline constexpr float kPhaseCycle[5][3] = {
    {0.5872F, 0.5810F, 0.5708F},   {0.2940F, 0.0624F, -0.1431F}, {-0.1793F, 0.0830F, -0.1025F},
    {0.0099F, -0.0007F, -0.0275F}, {0.0186F, 0.0087F, -0.0108F},
};

}  // namespace posiscope::canvas
