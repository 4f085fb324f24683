// program.hpp — a linked GL program, from shader files embedded in the program.
// A program is a list of files glued together: the header line, what they have in common, the file itself.
// So the files stay free of #include, and are GLSL 330 and ES 3.00 alike.
#pragma once

#include "app/gl/handle.hpp"
#include "core/problem.hpp"

#include <span>
#include <string_view>

namespace posiscope::gl {

// One file of a stage: the name it has in messages, and its text, which ends with a line end.
struct ShaderText {
    std::string_view name;
    std::string_view text;
};
ShaderText shader_file(std::string_view name);  // "phase.glsl" among the embedded shaders

// Compiles and links.  Refused with gl.shader: file (the one that failed), message (the driver's words) and
// log (the same, then the whole source with the driver's line numbers).
Result<ProgramObject> link_program(std::span<const ShaderText> vertex, std::span<const ShaderText> fragment);

// What every program class has: it owns the object, and sets what its shaders declare.
class Program {
public:
    Program() = default;

    explicit operator bool() const { return static_cast<bool>(object_); }
    void use() const { glUseProgram(object_.name()); }

protected:
    void own(ProgramObject object) { object_ = std::move(object); }
    GLint location(const char* name) const { return glGetUniformLocation(object_.name(), name); }
    void bind_sampler(const char* name, int unit) const;  // once, after linking

private:
    ProgramObject object_;
};

// Sets a texture for the next draw.
inline void bind_texture(int unit, const Texture& texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, texture.name());
}

}  // namespace posiscope::gl
