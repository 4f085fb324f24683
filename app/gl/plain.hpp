// plain.hpp — areas of one opaque colour, copied from a kept one. On a software renderer a copy costs a twentieth of
// clearing the same area under a scissor, and a fortieth of blending it.
// A copy is that quick only without the scissor test, between equal pixel formats and with rows in the same order in memory:
// so an image keeps its pixels as its target does, a window's as BGRA, top row first, a framebuffer's as RGBA, bottom row first.
#pragma once

#include "app/gl/framebuffer.hpp"
#include "app/gl/projection.hpp"

#include <cstdint>
#include <vector>

namespace posiscope::gl {

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
