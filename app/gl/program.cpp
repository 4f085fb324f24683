#include "app/gl/program.hpp"

#include "app/look/assets.hpp"

#include <string>

namespace posiscope::gl {
namespace {

#ifdef __EMSCRIPTEN__
constexpr std::string_view kHeader = "#version 300 es\n";
#else
constexpr std::string_view kHeader = "#version 330 core\n";
#endif

std::string info_log(GLuint name, void (*get_length)(GLuint, GLint*),
                     void (*get_log)(GLuint, GLsizei, GLsizei*, GLchar*)) {
    GLint length = 0;
    get_length(name, &length);
    std::string text(static_cast<std::size_t>(length > 0 ? length : 1), '\0');
    GLsizei written = 0;
    get_log(name, static_cast<GLsizei>(text.size()), &written, text.data());
    text.resize(static_cast<std::size_t>(written));
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
    return text;
}

std::string shader_log(GLuint name) {
    return info_log(
        name, [](GLuint n, GLint* length) { glGetShaderiv(n, GL_INFO_LOG_LENGTH, length); },
        [](GLuint n, GLsizei size, GLsizei* written, GLchar* text) { glGetShaderInfoLog(n, size, written, text); });
}

std::string program_log(GLuint name) {
    return info_log(
        name, [](GLuint n, GLint* length) { glGetProgramiv(n, GL_INFO_LOG_LENGTH, length); },
        [](GLuint n, GLsizei size, GLsizei* written, GLchar* text) { glGetProgramInfoLog(n, size, written, text); });
}

// "2:17  float x = …": the driver names the file by its number and the line.
std::string numbered(std::span<const ShaderText> files) {
    std::string out;
    for (std::size_t file = 0; file < files.size(); ++file) {
        out += std::to_string(file) + " is " + std::string(files[file].name) + "\n";
        std::string_view rest = files[file].text;
        for (int line = 1; !rest.empty(); ++line) {
            const std::size_t end = rest.find('\n');
            out += std::to_string(file) + ":" + std::to_string(line) + "  " + std::string(rest.substr(0, end)) + "\n";
            rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
        }
    }
    return out;
}

tl::unexpected<Problem> shader_problem(std::string_view file, const std::string& message, std::string source) {
    return refuse("gl.shader", {{"file", std::string(file)},
                                {"message", message},
                                {"log", std::string(file) + ": " + message + "\n" + std::move(source)}});
}

Result<Shader> compile(GLenum stage, std::span<const ShaderText> files) {
    std::string text(kHeader);
    for (std::size_t file = 0; file < files.size(); ++file) {
        text += "#line 1 " + std::to_string(file) + "\n";
        text += files[file].text;
    }
    Shader shader(glCreateShader(stage));
    const GLchar* pointer = text.data();
    const auto length = static_cast<GLint>(text.size());
    glShaderSource(shader.name(), 1, &pointer, &length);
    glCompileShader(shader.name());
    GLint done = GL_FALSE;
    glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &done);
    if (done == GL_FALSE) return shader_problem(files.back().name, shader_log(shader.name()), numbered(files));
    return shader;
}

}  // namespace

ShaderText shader_file(std::string_view name) { return {name, assets::file("shaders/" + std::string(name))}; }

Result<ProgramObject> link_program(std::span<const ShaderText> vertex, std::span<const ShaderText> fragment) {
    auto vertex_shader = compile(GL_VERTEX_SHADER, vertex);
    if (!vertex_shader) return tl::unexpected(std::move(vertex_shader.error()));
    auto fragment_shader = compile(GL_FRAGMENT_SHADER, fragment);
    if (!fragment_shader) return tl::unexpected(std::move(fragment_shader.error()));

    ProgramObject program(glCreateProgram());
    glAttachShader(program.name(), vertex_shader->name());
    glAttachShader(program.name(), fragment_shader->name());
    glLinkProgram(program.name());
    GLint done = GL_FALSE;
    glGetProgramiv(program.name(), GL_LINK_STATUS, &done);
    if (done == GL_FALSE)
        return shader_problem(fragment.back().name, program_log(program.name()), numbered(vertex) + numbered(fragment));
    glDetachShader(program.name(), vertex_shader->name());
    glDetachShader(program.name(), fragment_shader->name());
    return program;
}

void Program::bind_sampler(const char* name, int unit) const {
    use();
    glUniform1i(location(name), unit);
}

}  // namespace posiscope::gl
