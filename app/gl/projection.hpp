// projection.hpp — maps ImGui's points to the pixels of the bound framebuffer, and fills there without a program.  For
// use inside ImGui's draw callbacks.
#pragma once

#include <cstdint>

namespace posiscope::gl {

// Points to the framebuffer: ImDrawData's DisplayPos, DisplaySize and FramebufferScale.  Clips to the
// clip rectangle (in points).
struct Projection {
    float left = 0.0F;
    float top = 0.0F;
    float width = 1.0F;
    float height = 1.0F;
    float pixels_per_point = 1.0F;
    float clip_x0 = 0.0F, clip_y0 = 0.0F, clip_x1 = 1e9F, clip_y1 = 1e9F;
};

// Sets the scissor to the clip rectangle.
void set_scissor(const Projection& projection);

// Fills the clip rectangle with an opaque colour, 0xAABBGGRR: on a software renderer a tenth of the cost of blending.
void fill(const Projection& projection, std::uint32_t colour);

}  // namespace posiscope::gl
