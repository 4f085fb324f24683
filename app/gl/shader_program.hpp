// shader_program.hpp — a linked GL program, from shader files embedded in the program.
// A program is a concatenation of files: the header line, the shared code, the file itself. So the files need no #include
// and are valid as GLSL 330 and ES 3.00.
// Compiled at first use: the first frame needs one of twelve. GL_ARB_get_program_binary would save nothing, since the time
// goes into machine code that the driver caches itself.
#pragma once

#include "app/gl/handle.hpp"
#include "core/problem.hpp"

#include <span>
#include <string_view>

namespace posiscope::gl {

// One file of a stage: its name in messages, and its text, which ends with a newline.
struct ShaderText {
    std::string_view name;
    std::string_view text;
};
ShaderText shader_file(std::string_view name);  // "phase.glsl" among the embedded shaders

// Compiles and links.  Refused with gl.shader: file (the one that failed), message (the driver's words) and
// log (the same, then the whole source with the driver's line numbers).
Result<ProgramObject> link_program(std::span<const ShaderText> vertex, std::span<const ShaderText> fragment);

// The base of every program class: owns the object and sets its uniforms.
class ShaderProgram {
public:
    ShaderProgram() = default;

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
