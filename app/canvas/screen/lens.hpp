// lens.hpp — enlarges what a frame has drawn so far: a copy of the framebuffer's pixels around a point.
#pragma once

#include "app/gl/handle.hpp"

namespace posiscope::canvas {

class LensLayer {
public:
    // Copies these pixels of the bound framebuffer, counted from its lower left corner.
    void copy(int x, int y, int width, int height);
    // As ImGui takes a texture; made at the first use.
    unsigned texture();

private:
    gl::Texture texture_;
};

}  // namespace posiscope::canvas
