// plain.hpp — areas of one opaque colour, copied from a kept one. On a software renderer a copy costs a twentieth of
// clearing the same area under a scissor, and a fortieth of blending it.
// A copy is that quick only without the scissor test, between equal pixel formats and with rows in the same order in memory:
// so an image keeps its pixels as its target does, a window's as BGRA, top row first, a framebuffer's as RGBA, bottom row first.
#pragma once

#include "app/gl/framebuffer.hpp"

#include <cstdint>
#include <vector>

namespace posiscope::gl {

// Maps ImGui's points to the pixels of the bound framebuffer.
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

class PlainColours {
public:
    explicit PlainColours(PixelFormat format) : format_(format) {}

    // Fills the clip rectangle of the framebuffer that is bound: colour 0xAABBGGRR. Leaves the scissor test on.
    void fill(const Projection& projection, std::uint32_t colour);

private:
    struct Kept {
        std::uint32_t colour;
        Framebuffer pixels;
    };
    const Framebuffer& of(std::uint32_t colour);

    PixelFormat format_;
    std::vector<Kept> kept_;  // the last few, the latest at the end
};

}  // namespace posiscope::gl
