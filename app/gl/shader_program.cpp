#include "app/gl/shader_program.hpp"

#include "app/platform/host.hpp"
#include "app/ui/assets.hpp"

#include <algorithm>
#include <new>
#include <string>

namespace posiscope::gl {
namespace {

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
        [](GLuint n, GLsizei size, GLsizei* written, GLchar* text) {
            glGetShaderInfoLog(n, size, written, text);
        });
}

std::string program_log(GLuint name) {
    return info_log(
        name, [](GLuint n, GLint* length) { glGetProgramiv(n, GL_INFO_LOG_LENGTH, length); },
        [](GLuint n, GLsizei size, GLsizei* written, GLchar* text) {
            glGetProgramInfoLog(n, size, written, text);
        });
}

std::size_t lines_of(std::string_view text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// The whole source as the driver sees it, with the driver's line numbers.
std::string numbered(std::span<const ShaderText> files) {
    std::string out;
    std::size_t line = 1;
    const auto add = [&](std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            out += std::to_string(line++) + "  " + std::string(text.substr(0, end)) + "\n";
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    };
    add(platform::shading_language());
    for (const ShaderText& file : files) {
        out += "-- " + std::string(file.name) + "\n";
        add(file.text);
    }
    return out;
}

// The line in "0:17(3): error", "ERROR: 0:17:" or "0(17) : error"; 0 if there is none.
std::size_t line_in(std::string_view message) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t i = 1; i + 1 < message.size(); ++i) {
        if ((message[i] != ':' && message[i] != '(') || !digit(message[i - 1]) || !digit(message[i + 1]))
            continue;
        std::size_t line = 0;
        for (++i; i < message.size() && digit(message[i]); ++i)
            line = 10 * line + static_cast<std::size_t>(message[i] - '0');
        return line;
    }
    return 0;
}

// The file that the message refers to, else the last one, which includes the others' code.
std::string_view file_at(std::span<const ShaderText> files, std::string_view message) {
    std::size_t end = lines_of(platform::shading_language());
    const std::size_t line = line_in(message);
    if (line > end) {
        for (const ShaderText& file : files) {
            end += lines_of(file.text);
            if (line <= end) return file.name;
        }
    }
    return files.back().name;
}

tl::unexpected<Problem> shader_problem(std::string_view file, const std::string& message,
                                       std::string source) {
    return no_display("gl.shader", {{"file", std::string(file)},
                                    {"message", message},
                                    {"log", std::string(file) + ": " + message + "\n" + std::move(source)}});
}

Result<Shader> compile(GLenum stage, std::span<const ShaderText> files) {
    std::string text(platform::shading_language());
    for (const ShaderText& file : files) text += file.text;
    Shader shader(glCreateShader(stage));
    if (!shader) throw std::bad_alloc();
    const GLchar* pointer = text.data();
    const auto length = static_cast<GLint>(text.size());
    glShaderSource(shader.name(), 1, &pointer, &length);
    glCompileShader(shader.name());
    GLint done = GL_FALSE;
    glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &done);
    if (done == GL_FALSE) {
        const std::string message = shader_log(shader.name());
        return shader_problem(file_at(files, message), message, numbered(files));
    }
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
    if (!program) throw std::bad_alloc();
    glAttachShader(program.name(), vertex_shader->name());
    glAttachShader(program.name(), fragment_shader->name());
    glLinkProgram(program.name());
    GLint done = GL_FALSE;
    glGetProgramiv(program.name(), GL_LINK_STATUS, &done);
    if (done == GL_FALSE)
        return shader_problem(fragment.back().name, program_log(program.name()),
                              numbered(vertex) + numbered(fragment));
    glDetachShader(program.name(), vertex_shader->name());
    glDetachShader(program.name(), fragment_shader->name());
    return program;
}

void ShaderProgram::bind_sampler(const char* name, int unit) const {
    use();
    glUniform1i(location(name), unit);
}

}  // namespace posiscope::gl
