// framebuffer.hpp — a texture to draw into and read back.
#pragma once

#include "app/gl/handle.hpp"
#include "app/ui/image.hpp"

#include <vector>

namespace posiscope::gl {

// `window` holds what rgba8 does, in the order of bytes that windows have.
enum class PixelFormat { rgba8, window, r32f, rg32f };

// The place of texel row 0: at the bottom, as in a window, or at the top, as ImGui shows a texture.
enum class FirstRow { bottom, top };

class Framebuffer {
public:
    Framebuffer() = default;
    explicit Framebuffer(PixelFormat format) : format_(format) {}

    // Sets the size, 1 … GL_MAX_TEXTURE_SIZE; the content is lost if it changes.
    void resize(int width, int height);
    PixelFormat format() const { return format_; }
    int width() const { return width_; }
    int height() const { return height_; }
    const Texture& texture() const { return texture_; }

    // Directs draws here, over the whole size.
    void bind() const;

    // Copies its first `width` columns into another one, from column x and row y.
    void copy_to(const Framebuffer& target, int width, int x, int y) const;

    // The same to the framebuffer that is bound for drawing, with the scissor test off: pixels x, y, … of this one to
    // the place `to`. Rows keep their order, or the first one becomes the last.
    struct Part {
        int x = 0, y = 0, width = 0, height = 0;
    };
    void copy(const Part& from, int to_x, int to_y, bool upside_down) const;

    // Top row first. For rgba8.
    Image read(FirstRow first = FirstRow::bottom) const;
    // For r32f and rg32f: the channels of each pixel in turn, in the order of texel rows.
    std::vector<float> read_floats() const;

private:
    PixelFormat format_ = PixelFormat::rgba8;
    int width_ = 0;
    int height_ = 0;
    Texture texture_;
    FramebufferObject object_;
};

// Restores the caller's framebuffer, viewport and the state that drawing a whole target changes.
class TargetGuard {
public:
    TargetGuard();
    ~TargetGuard();
    TargetGuard(const TargetGuard&) = delete;
    TargetGuard& operator=(const TargetGuard&) = delete;

private:
    GLint framebuffer_ = 0;
    GLint viewport_[4] = {};
    GLboolean blend_ = GL_FALSE;
    GLboolean scissor_ = GL_FALSE;
};

}  // namespace posiscope::gl
