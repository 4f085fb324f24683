// data_texture.hpp — a list of numbers for shaders, wrapped into rows if it is longer than a texture is wide.
// Element i is at texel (i mod 4096, i / 4096); a list of at most 4096 is one row.
#pragma once

#include "app/gl/handle.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace posiscope::gl {

inline constexpr int kWrap = 4096;  // as in shaders/lookup.glsl

using Texel = std::array<std::uint32_t, 4>;

class DataTexture {
public:
    void set(std::span<const Texel> list);                    // RGBA32UI
    void set(std::span<const float> list);                    // R32F
    void set_plane(std::span<const float> plane, int width);  // R32F, not wrapped
    const Texture& texture() const { return texture_; }

private:
    void upload(GLint internal, GLenum format, GLenum type, const void* data, std::size_t count, int width,
                std::size_t size);

    Texture texture_;
    GLint internal_ = 0;
    int width_ = 0;
    int height_ = 0;
};

}  // namespace posiscope::gl
