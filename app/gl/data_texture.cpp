#include "app/gl/data_texture.hpp"

#include <algorithm>

namespace posiscope::gl {

void DataTexture::upload(GLint internal, GLenum format, GLenum type, const void* data, std::size_t count,
                         int width, std::size_t size) {
    const auto whole = static_cast<int>(count / static_cast<std::size_t>(width));
    const auto rest = static_cast<int>(count % static_cast<std::size_t>(width));
    const int height = std::max(1, whole + (rest > 0 ? 1 : 0));
    if (!texture_) {
        texture_ = Texture::create();
        glBindTexture(GL_TEXTURE_2D, texture_.name());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    if (internal != internal_ || width != width_ || height != height_) {
        glTexImage2D(GL_TEXTURE_2D, 0, internal, width, height, 0, format, type, nullptr);
        internal_ = internal;
        width_ = width;
        height_ = height;
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (whole > 0) glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, whole, format, type, data);
    if (rest > 0) {
        const auto* tail = static_cast<const char*>(data) +
                           size * static_cast<std::size_t>(whole) * static_cast<std::size_t>(width);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, whole, rest, 1, format, type, tail);
    }
}

void DataTexture::set(std::span<const Texel> list) {
    const int width = std::clamp(static_cast<int>(std::min<std::size_t>(list.size(), kWrap)), 1, kWrap);
    upload(GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, list.data(), list.size(), width, sizeof(Texel));
}

void DataTexture::set(std::span<const float> list) {
    const int width = std::clamp(static_cast<int>(std::min<std::size_t>(list.size(), kWrap)), 1, kWrap);
    upload(GL_R32F, GL_RED, GL_FLOAT, list.data(), list.size(), width, sizeof(float));
}

void DataTexture::set_plane(std::span<const float> plane, int width) {
    upload(GL_R32F, GL_RED, GL_FLOAT, plane.data(), plane.size(), std::max(1, width), sizeof(float));
}

}  // namespace posiscope::gl
