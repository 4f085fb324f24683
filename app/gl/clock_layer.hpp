// clock_layer.hpp — a wall of clocks in one draw: rings, hands and the sector between them, by signed distance.
// Angles are in turns, counter-clockwise from the right with y up; sizes and places are in points, y down, as
// ImGui counts them.  Sharp at every scale; the cost is that of the pixels covered.
#pragma once

#include "app/gl/program.hpp"
#include "app/gl/projection.hpp"

#include <cstdint>
#include <span>

namespace posiscope::gl {

struct Clock {
    float x = 0.0F;
    float y = 0.0F;
    float radius = 10.0F;
    float angle_p = 0.0F;   // where the hand of p points
    float turned_k = 0.0F;  // from there to the hand of p + k; a whole turn and more shows as a full disc
    std::uint32_t ring_colour = 0;  // 0xAABBGGRR
    float emphasis = 0.0F;          // 0 plain, 1 hovered, 2 selected; between them it fades
};

struct ClockStyle {
    std::uint32_t ink = 0xffe8e6e3;     // hand p
    std::uint32_t offset = 0xffa779cc;  // hand p + k, and faded the sector
    std::uint32_t mark = 0xffe8e6e3;    // around a hovered or selected clock
    float sector = 0.30F;               // its opacity
    bool show_offset = true;            // the hand of p + k and the sector

    bool operator==(const ClockStyle&) const = default;
};

class ClockProgram : public Program {
public:
    static Result<ClockProgram> create();

    ClockProgram& set_projection(const Projection& projection);
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
    void draw(std::span<const Clock> clocks, const ClockStyle& style, const Projection& projection);

private:
    ClockLayer() = default;

    ClockProgram program_;
    VertexArray layout_;
    Buffer buffer_;
    std::size_t capacity_ = 0;  // clocks
    std::size_t used_ = 0;
};

}  // namespace posiscope::gl
