// projection.hpp — maps ImGui's points to the pixels of the bound framebuffer.
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

// The clip rectangle within the framebuffer, in pixels: x to the right, y up.
struct PixelRect {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool empty() const { return x1 <= x0 || y1 <= y0; }
};
PixelRect clip_of(const Projection& projection);

// Sets the scissor to it.
void set_scissor(const Projection& projection);

}  // namespace posiscope::gl
