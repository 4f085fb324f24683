#include "app/canvas/screen/lens.hpp"

namespace posiscope::canvas {

unsigned LensLayer::texture() {
    if (!texture_) {
        texture_ = gl::Texture::create();
        GLint before = 0;
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
        glBindTexture(GL_TEXTURE_2D, texture_.name());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
    }
    return texture_.name();
}

void LensLayer::copy(int x, int y, int width, int height) {
    glBindTexture(GL_TEXTURE_2D, texture());
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, x, y, width, height, 0);
}

}  // namespace posiscope::canvas
