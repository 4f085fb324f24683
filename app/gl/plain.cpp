#include "app/gl/plain.hpp"

#include <algorithm>
#include <cmath>
#include <glad/gl.h>

namespace posiscope::gl {
namespace {

constexpr int kWidth = 1024, kHeight = 64;  // of a kept colour: a quarter of a megabyte
constexpr std::size_t kMost = 8;            // a theme has fewer

}  // namespace

const Framebuffer& PlainColours::of(std::uint32_t colour) {
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.colour == colour; });
    if (found != kept_.end()) return found->pixels;
    if (kept_.size() >= kMost) kept_.erase(kept_.begin());
    Kept& made = kept_.emplace_back(Kept{colour, Framebuffer(format_)});
    const TargetGuard guard;
    made.pixels.resize(kWidth, kHeight);
    made.pixels.bind();
    const auto channel = [&](int shift) { return static_cast<float>((colour >> shift) & 0xffU) / 255.0F; };
    glClearColor(channel(0), channel(8), channel(16), 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    return made.pixels;
}

void PlainColours::fill(const Projection& projection, std::uint32_t colour) {
    const Framebuffer& pixels = of(colour);
    const PixelRect area = clip_of(projection);
    glDisable(GL_SCISSOR_TEST);
    for (int y = area.y0; y < area.y1; y += kHeight)
        for (int x = area.x0; x < area.x1; x += kWidth)
            pixels.copy({0, 0, std::min(kWidth, area.x1 - x), std::min(kHeight, area.y1 - y)}, x, y,
                        format_ == PixelFormat::window);
    glEnable(GL_SCISSOR_TEST);
}

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
