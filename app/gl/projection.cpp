#include "app/gl/projection.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <cmath>

namespace posiscope::gl {

PixelRect clip_of(const Projection& p) {
    const auto pixel = [&](float value, float origin) {
        return static_cast<int>(std::lround(std::clamp((value - origin) * p.pixels_per_point, -1e6F, 1e6F)));
    };
    const int height = pixel(p.top + p.height, p.top);
    return {std::max(0, pixel(p.clip_x0, p.left)), height - std::min(height, pixel(p.clip_y1, p.top)),
            std::min(pixel(p.left + p.width, p.left), pixel(p.clip_x1, p.left)),
            height - std::max(0, pixel(p.clip_y0, p.top))};
}

void set_scissor(const Projection& p) {
    const PixelRect clip = clip_of(p);
    glEnable(GL_SCISSOR_TEST);
    glScissor(clip.x0, clip.y0, std::max(0, clip.x1 - clip.x0), std::max(0, clip.y1 - clip.y0));
}

}  // namespace posiscope::gl
