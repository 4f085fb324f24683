// lens.hpp — enlarges what a frame has drawn so far: a copy of the framebuffer's pixels around a point.
// Drawing again at twice the scale would be sharper, but needs every figure twice a frame.
#pragma once

#include "app/gl/handle.hpp"

namespace posiscope::canvas {

class LensLayer {
public:
    // Copies these pixels of the bound framebuffer, counted from its lower left corner.
    void copy(int x, int y, int width, int height);
    // Used as ImGui's texture; made at the first use.
    unsigned texture();

private:
    gl::Texture texture_;
};

}  // namespace posiscope::canvas
