// clock_layer.hpp — a wall of clocks in one draw: rings, hands and the sector between them, by signed distance.
// Sharp at every scale; the cost is proportional to the covered pixels.
#pragma once

#include "app/canvas/clock.hpp"
#include "app/gl/plain.hpp"
#include "app/gl/shader_program.hpp"

#include <span>

namespace posiscope::canvas {

class ClockProgram : public gl::ShaderProgram {
public:
    static Result<ClockProgram> create();

    ClockProgram& set_projection(const gl::Projection& projection);
    ClockProgram& set_style(const ClockStyle& style);

private:
    struct {
        GLint origin = -1, scale = -1, pixels_per_point = -1;
        GLint ink = -1, offset = -1, mark = -1, sector = -1;
    } at_;
};

class ClockLayer {
public:
    static Result<ClockLayer> create();

    // Into the framebuffer that is bound, whose viewport is the projection's.  Inside of an ImGui draw callback:
    // follow it with ImDrawCallback_ResetRenderState.  Blends; sets program, vertex array, scissor.
    void draw(std::span<const Clock> clocks, const ClockStyle& style, const gl::Projection& projection);

private:
    ClockLayer() = default;

    ClockProgram program_;
    gl::VertexArray layout_;
    gl::Buffer buffer_;
    std::size_t capacity_ = 0;  // clocks
    std::size_t used_ = 0;
};

}  // namespace posiscope::canvas
