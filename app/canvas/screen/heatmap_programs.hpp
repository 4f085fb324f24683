// heatmap_programs.hpp — the programs that draw heatmaps: typed setters, then draw.
#pragma once

#include "app/gl/framebuffer.hpp"
#include "app/gl/shader_program.hpp"

namespace posiscope::canvas {

struct Rgb {
    float red = 0.0F, green = 0.0F, blue = 0.0F;
};

// One per fragment shader; setters of uniforms that a shader does not declare have no effect.
class HeatmapProgram : public gl::ShaderProgram {
public:
    enum class Kind { components, blocks, phase, toeplitz, shift_blocks, samples, difference };
    static constexpr std::size_t kKinds = 7;

    // With `values` it writes numbers instead of colours, for tests and for subtraction.
    static Result<HeatmapProgram> create(Kind kind, bool values);

    HeatmapProgram& bind_columns(const gl::Texture& texture) { return bind(0, texture); }
    HeatmapProgram& bind_rows(const gl::Texture& texture) { return bind(1, texture); }
    HeatmapProgram& bind_source(const gl::Texture& texture) {
        return bind(2, texture);
    }  // steps, values or turns
    HeatmapProgram& bind_subtracted(const gl::Texture& texture) { return bind(3, texture); }
    HeatmapProgram& set_colours(Rgb negative, Rgb zero, Rgb positive);
    HeatmapProgram& set_range(double range);  // |value| at full colour
    HeatmapProgram& set_border(Rgb colour, float alpha);
    HeatmapProgram& set_inner_weights(double column, double row);
    HeatmapProgram& set_layout(std::size_t pairs, bool interleaved, bool rotary);
    HeatmapProgram& set_rows(int height, gl::FirstRow first);  // where texel row 0 is
    HeatmapProgram& set_first(int first);                      // toeplitz: row − column of the first value

private:
    HeatmapProgram& bind(int unit, const gl::Texture& texture);
    struct {
        GLint zero = -1, below = -1, above = -1, full = -1, border = -1, inner_weight = -1, inner_row = -1;
        GLint pairs = -1, interleaved = -1, rotary = -1, first = -1, last_row = -1;
    } at_;
};

}  // namespace posiscope::canvas
