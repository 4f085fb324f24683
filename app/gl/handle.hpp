// handle.hpp — the owner of a GL object: movable, possibly empty.
// The destructor deletes the object, so it must run while the context that made it is current.
#pragma once

#include <glad/gl.h>

#include <utility>

namespace posiscope::gl {

enum class Kind { texture, buffer, vertex_array, framebuffer, shader, program };

template <Kind kind>
class Handle {
public:
    Handle() = default;
    explicit Handle(GLuint name) : name_(name) {}
    ~Handle() { reset(); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    Handle(Handle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
        if (this != &other) {
            reset();
            name_ = std::exchange(other.name_, 0);
        }
        return *this;
    }

    static Handle create();  // for all kinds but shaders and programs, which have their own

    GLuint name() const { return name_; }
    explicit operator bool() const { return name_ != 0; }

    void reset() {
        if (name_ == 0) return;
        if constexpr (kind == Kind::texture) glDeleteTextures(1, &name_);
        if constexpr (kind == Kind::buffer) glDeleteBuffers(1, &name_);
        if constexpr (kind == Kind::vertex_array) glDeleteVertexArrays(1, &name_);
        if constexpr (kind == Kind::framebuffer) glDeleteFramebuffers(1, &name_);
        if constexpr (kind == Kind::shader) glDeleteShader(name_);
        if constexpr (kind == Kind::program) glDeleteProgram(name_);
        name_ = 0;
    }

private:
    GLuint name_ = 0;
};

template <Kind kind>
Handle<kind> Handle<kind>::create() {
    static_assert(kind != Kind::shader && kind != Kind::program);
    GLuint name = 0;
    if constexpr (kind == Kind::texture) glGenTextures(1, &name);
    if constexpr (kind == Kind::buffer) glGenBuffers(1, &name);
    if constexpr (kind == Kind::vertex_array) glGenVertexArrays(1, &name);
    if constexpr (kind == Kind::framebuffer) glGenFramebuffers(1, &name);
    return Handle(name);
}

using Texture = Handle<Kind::texture>;
using Buffer = Handle<Kind::buffer>;
using VertexArray = Handle<Kind::vertex_array>;
using FramebufferObject = Handle<Kind::framebuffer>;
using Shader = Handle<Kind::shader>;
using ProgramObject = Handle<Kind::program>;

}  // namespace posiscope::gl
