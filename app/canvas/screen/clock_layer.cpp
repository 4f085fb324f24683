#include "app/canvas/screen/clock_layer.hpp"

#include <algorithm>
#include <cstddef>

namespace posiscope::canvas {
namespace {

constexpr std::size_t kFirstCapacity = 4096;

void set_colour(GLint at, std::uint32_t colour) {
    const auto channel = [&](int shift) { return static_cast<float>((colour >> shift) & 0xffU) / 255.0F; };
    glUniform4f(at, channel(0), channel(8), channel(16), channel(24));
}

// Attributes of clocks from `first` on: the layout is that of the struct.
void point_at(std::size_t first) {
    const auto attribute = [&](GLuint at, GLint count, GLenum type, bool normalised, std::size_t offset) {
        glEnableVertexAttribArray(at);
        glVertexAttribPointer(at, count, type, normalised ? GL_TRUE : GL_FALSE, sizeof(Clock),
                              reinterpret_cast<const void*>(first * sizeof(Clock) + offset));
        glVertexAttribDivisor(at, 1);
    };
    attribute(0, 3, GL_FLOAT, false, offsetof(Clock, x));
    attribute(1, 2, GL_FLOAT, false, offsetof(Clock, angle_p));
    attribute(2, 4, GL_UNSIGNED_BYTE, true, offsetof(Clock, ring_colour));
    attribute(3, 1, GL_FLOAT, false, offsetof(Clock, emphasis));
}

}  // namespace

Result<ClockProgram> ClockProgram::create() {
    const gl::ShaderText vertex[] = {gl::shader_file("precision.glsl"), gl::shader_file("phase.glsl"),
                                     gl::shader_file("clocks.vert")};
    const gl::ShaderText fragment[] = {gl::shader_file("precision.glsl"), gl::shader_file("clocks.frag")};
    auto object = gl::link_program(vertex, fragment);
    if (!object) return tl::unexpected(std::move(object.error()));
    ClockProgram program;
    program.own(std::move(*object));
    const auto at = [&](const char* name) { return program.location(name); };
    program.at_ = {at("origin"), at("scale"), at("pixels_per_point"), at("ink"), at("offset"),
                   at("mark"),   at("sector")};
    return program;
}

ClockProgram& ClockProgram::set_projection(const gl::Projection& p) {
    use();
    glUniform2f(at_.origin, p.left, p.top);
    glUniform2f(at_.scale, 2.0F / (p.width * p.pixels_per_point), -2.0F / (p.height * p.pixels_per_point));
    glUniform1f(at_.pixels_per_point, p.pixels_per_point);
    return *this;
}

ClockProgram& ClockProgram::set_style(const ClockStyle& style) {
    use();
    set_colour(at_.ink, style.ink);
    set_colour(at_.offset, style.show_offset ? style.offset : style.offset & 0x00ffffffU);
    set_colour(at_.mark, style.mark);
    glUniform1f(at_.sector, style.sector);
    return *this;
}

Result<ClockLayer> ClockLayer::create() {
    auto program = ClockProgram::create();
    if (!program) return tl::unexpected(std::move(program.error()));
    ClockLayer layer;
    layer.program_ = std::move(*program);
    layer.layout_ = gl::VertexArray::create();
    layer.buffer_ = gl::Buffer::create();
    return layer;
}

void ClockLayer::draw(std::span<const Clock> clocks, const ClockStyle& style,
                      const gl::Projection& projection) {
    if (clocks.empty()) return;
    glBindVertexArray(layout_.name());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.name());
    // Appends after the data of earlier draws, which may still be read; starts a new buffer when it is full.
    if (used_ + clocks.size() > capacity_) {
        capacity_ = std::max({capacity_, kFirstCapacity, 2 * clocks.size()});
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(capacity_ * sizeof(Clock)), nullptr,
                     GL_STREAM_DRAW);
        used_ = 0;
    }
    glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(used_ * sizeof(Clock)),
                    static_cast<GLsizeiptr>(clocks.size_bytes()), clocks.data());
    point_at(used_);
    used_ += clocks.size();
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    set_scissor(projection);
    program_.set_projection(projection).set_style(style);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(clocks.size()));
}

}  // namespace posiscope::canvas
