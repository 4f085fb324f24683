#include "app/gl/framebuffer.hpp"

#include <algorithm>
#include <new>

namespace posiscope::gl {
namespace {

struct Form {
    GLint internal;
    GLenum format;
    GLenum type;
    int channels;
};

Form form_of(PixelFormat format) {
    switch (format) {
        case PixelFormat::r32f: return {GL_R32F, GL_RED, GL_FLOAT, 1};
        case PixelFormat::rg32f: return {GL_RG32F, GL_RG, GL_FLOAT, 2};
        case PixelFormat::window: return {GL_RGBA, GL_BGRA, GL_UNSIGNED_BYTE, 4};
        default: return {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4};
    }
}

// OpenGL draws on where it has no memory left; what is then read is not the picture.
void refuse_what_is_incomplete() {
    for (GLenum error = glGetError(); error != GL_NO_ERROR; error = glGetError())
        if (error == GL_OUT_OF_MEMORY || error == GL_INVALID_FRAMEBUFFER_OPERATION) throw std::bad_alloc();
}

}  // namespace

void Framebuffer::resize(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    const bool fresh = !texture_;
    if (fresh) {
        texture_ = Texture::create();
        object_ = FramebufferObject::create();
    }
    const Form form = form_of(format_);
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    glTexImage2D(GL_TEXTURE_2D, 0, form.internal, width, height, 0, form.format, form.type, nullptr);
    if (!fresh) return;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    GLint before = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    glBindFramebuffer(GL_FRAMEBUFFER, object_.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.name(), 0);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
}

void Framebuffer::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, object_.name());
    glViewport(0, 0, width_, height_);
}

void Framebuffer::copy_to(const Framebuffer& target, int width, int x, int y) const {
    GLint read = 0;
    GLint draw = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, object_.name());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.object_.name());
    glBlitFramebuffer(0, 0, width, height_, x, y, x + width, y + height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw));
}

void Framebuffer::copy(const Part& from, int to_x, int to_y, bool upside_down) const {
    GLint read = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, object_.name());
    glBlitFramebuffer(from.x, from.y, from.x + from.width, from.y + from.height, to_x,
                      upside_down ? to_y + from.height : to_y, to_x + from.width,
                      upside_down ? to_y : to_y + from.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read));
}

Image Framebuffer::read(FirstRow first) const {
    Image image{width_, height_, {}};
    const std::size_t stride = 4 * static_cast<std::size_t>(width_);
    image.rgba.resize(stride * static_cast<std::size_t>(height_));
    GLint before = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, object_.name());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
    refuse_what_is_incomplete();
    if (first == FirstRow::top) return image;
    for (int top = 0, bottom = height_ - 1; top < bottom; ++top, --bottom) {
        const auto a = image.rgba.begin() + static_cast<std::ptrdiff_t>(stride) * top;
        const auto b = image.rgba.begin() + static_cast<std::ptrdiff_t>(stride) * bottom;
        std::swap_ranges(a, a + static_cast<std::ptrdiff_t>(stride), b);
    }
    return image;
}

std::vector<float> Framebuffer::read_floats() const {
    const Form form = form_of(format_);
    std::vector<float> values(static_cast<std::size_t>(form.channels) * static_cast<std::size_t>(width_) *
                              static_cast<std::size_t>(height_));
    GLint before = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, object_.name());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width_, height_, form.format, form.type, values.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
    return values;
}

TargetGuard::TargetGuard() : blend_(glIsEnabled(GL_BLEND)), scissor_(glIsEnabled(GL_SCISSOR_TEST)) {
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer_);
    glGetIntegerv(GL_VIEWPORT, viewport_);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
}

TargetGuard::~TargetGuard() {
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(framebuffer_));
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    if (blend_ == GL_TRUE) glEnable(GL_BLEND);
    if (scissor_ == GL_TRUE) glEnable(GL_SCISSOR_TEST);
}

}  // namespace posiscope::gl
