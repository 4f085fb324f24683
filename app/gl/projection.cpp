#include "app/gl/projection.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <cmath>

namespace posiscope::gl {

void set_scissor(const Projection& p) {
    const auto pixel = [&](float value, float origin) {
        return static_cast<int>(std::lround(std::clamp((value - origin) * p.pixels_per_point, -1e6F, 1e6F)));
    };
    const int height = pixel(p.top + p.height, p.top);
    const int x0 = std::max(0, pixel(p.clip_x0, p.left));
    const int x1 = std::min(pixel(p.left + p.width, p.left), pixel(p.clip_x1, p.left));
    const int y0 = std::max(0, pixel(p.clip_y0, p.top));
    const int y1 = std::min(height, pixel(p.clip_y1, p.top));
    glEnable(GL_SCISSOR_TEST);
    glScissor(x0, height - y1, std::max(0, x1 - x0), std::max(0, y1 - y0));
}

void fill(const Projection& projection, std::uint32_t colour) {
    const auto channel = [&](int shift) { return static_cast<float>((colour >> shift) & 0xffU) / 255.0F; };
    set_scissor(projection);
    glClearColor(channel(0), channel(8), channel(16), 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace posiscope::gl
