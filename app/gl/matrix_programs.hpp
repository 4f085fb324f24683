// matrix_programs.hpp — the programs that draw heatmaps, one class each: typed setters, then draw.
#pragma once

#include "app/gl/program.hpp"

namespace posiscope::gl {

struct Rgb {
    float red = 0.0F, green = 0.0F, blue = 0.0F;
};

// Mean unit vectors into an rg32f target: shaders/means.frag.
class MeansProgram : public Program {
public:
    static Result<MeansProgram> create();

    MeansProgram& bind_rows(const Texture& texture) { return bind(0, texture); }
    MeansProgram& bind_bins(const Texture& texture) { return bind(1, texture); }
    MeansProgram& bind_steps(const Texture& texture) { return bind(2, texture); }
    MeansProgram& set_inner_weight(double weight);

private:
    MeansProgram& bind(int unit, const Texture& texture);
    GLint inner_weight_ = -1;
};

// From numbers to colours: shaders/heatmap.glsl and the field's own file.  With `values` the numbers themselves
// come out, for tests.
class HeatmapProgram : public Program {
public:
    static Result<HeatmapProgram> create(std::string_view fragment, bool values);

    HeatmapProgram& bind_columns(const Texture& texture) { return bind(0, texture); }
    HeatmapProgram& bind_rows(const Texture& texture) { return bind(1, texture); }
    HeatmapProgram& bind_source(const Texture& texture) { return bind(2, texture); }
    HeatmapProgram& set_colours(Rgb negative, Rgb zero, Rgb positive);
    HeatmapProgram& set_range(double range);  // |value| at full colour
    HeatmapProgram& set_border(Rgb colour, float alpha);
    HeatmapProgram& set_first(int first);  // toeplitz
    // shift_blocks
    HeatmapProgram& set_blocks(int pairs, bool interleaved, bool rotary, double column_weight, double row_weight);

private:
    HeatmapProgram& bind(int unit, const Texture& texture);
    struct {
        GLint zero = -1, below = -1, above = -1, full = -1, border = -1, first = -1;
        GLint pairs = -1, interleaved = -1, sine_sign = -1, inner_weight = -1;
    } at_;
};

}  // namespace posiscope::gl
