#include "app/gl/matrix_programs.hpp"

#include "app/gl/phase_cycle.hpp"

namespace posiscope::gl {

Result<MeansProgram> MeansProgram::create() {
    auto program = link({shader_file("target.vert")}, {shader_file("precision.glsl"), shader_file("phase.glsl"),
                                                      shader_file("lookup.glsl"), shader_file("means.frag")});
    if (!program) return tl::unexpected(std::move(program.error()));
    MeansProgram means;
    static_cast<Program&>(means) = std::move(*program);
    means.bind_sampler("rows", 0);
    means.bind_sampler("bins", 1);
    means.bind_sampler("steps", 2);
    means.inner_weight_ = means.location("inner_weight");
    return means;
}

MeansProgram& MeansProgram::bind(int unit, const Texture& texture) {
    bind_texture(unit, texture);
    return *this;
}

MeansProgram& MeansProgram::set_inner_weight(double weight) {
    use();
    glUniform1f(inner_weight_, static_cast<float>(weight));
    return *this;
}

Result<HeatmapProgram> HeatmapProgram::create(std::string_view fragment, bool values) {
    const ShaderText define{"(values)", "#define POSISCOPE_VALUES\n"};
    const ShaderText nothing{"(colours)", "\n"};
    auto program = link({shader_file("target.vert")}, {values ? define : nothing, shader_file("precision.glsl"),
                         shader_file("lookup.glsl"), shader_file("heatmap.glsl"), shader_file(fragment)});
    if (!program) return tl::unexpected(std::move(program.error()));
    HeatmapProgram heatmap;
    static_cast<Program&>(heatmap) = std::move(*program);
    heatmap.bind_sampler("columns", 0);
    heatmap.bind_sampler("rows", 1);
    for (const char* source : {"means", "values", "turns"}) heatmap.bind_sampler(source, 2);
    heatmap.at_ = {heatmap.location("zero"),      heatmap.location("below"),       heatmap.location("above"),
                   heatmap.location("full"),      heatmap.location("border"),      heatmap.location("first"),
                   heatmap.location("pairs"),     heatmap.location("interleaved"), heatmap.location("sine_sign"),
                   heatmap.location("inner_weight")};
    glUniform3fv(heatmap.location("cycle"), 5, &kPhaseCycle[0][0]);
    return heatmap;
}

HeatmapProgram& HeatmapProgram::bind(int unit, const Texture& texture) {
    bind_texture(unit, texture);
    return *this;
}

HeatmapProgram& HeatmapProgram::set_colours(Rgb negative, Rgb zero, Rgb positive) {
    use();
    glUniform3f(at_.zero, zero.red, zero.green, zero.blue);
    glUniform3f(at_.below, negative.red - zero.red, negative.green - zero.green, negative.blue - zero.blue);
    glUniform3f(at_.above, positive.red - zero.red, positive.green - zero.green, positive.blue - zero.blue);
    return *this;
}

HeatmapProgram& HeatmapProgram::set_range(double range) {
    use();
    glUniform1f(at_.full, range > 0.0 ? static_cast<float>(1.0 / range) : 0.0F);
    return *this;
}

HeatmapProgram& HeatmapProgram::set_border(Rgb colour, float alpha) {
    use();
    glUniform4f(at_.border, colour.red, colour.green, colour.blue, alpha);
    return *this;
}

HeatmapProgram& HeatmapProgram::set_first(int first) {
    use();
    glUniform1i(at_.first, first);
    return *this;
}

HeatmapProgram& HeatmapProgram::set_blocks(int pairs, bool interleaved, bool rotary, double column_weight, double row_weight) {
    use();
    glUniform1i(at_.pairs, pairs);
    glUniform1i(at_.interleaved, interleaved ? 1 : 0);
    glUniform1f(at_.sine_sign, rotary ? -1.0F : 1.0F);
    glUniform2f(at_.inner_weight, static_cast<float>(column_weight), static_cast<float>(row_weight));
    return *this;
}

}  // namespace posiscope::gl
