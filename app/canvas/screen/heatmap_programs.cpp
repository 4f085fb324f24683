#include "app/canvas/screen/heatmap_programs.hpp"

#include "app/canvas/heatmap.hpp"

#include <vector>

namespace posiscope::canvas {
namespace {

// The files of each kind, its own last.
std::vector<gl::ShaderText> files_of(HeatmapProgram::Kind kind, bool values) {
    using Kind = HeatmapProgram::Kind;
    std::vector<gl::ShaderText> files;
    if (values) files.push_back({"values", "#define POSISCOPE_VALUES\n"});
    for (const char* name : {"precision.glsl", "lookup.glsl", "heatmap.glsl"})
        files.push_back(gl::shader_file(name));
    const bool turning = kind == Kind::components || kind == Kind::blocks || kind == Kind::phase;
    if (turning || kind == Kind::shift_blocks) files.push_back(gl::shader_file("covers.glsl"));
    if (turning) {
        files.push_back(gl::shader_file("phase.glsl"));
        files.push_back(gl::shader_file("rows.glsl"));
    }
    if (turning && kind != Kind::components) files.push_back(gl::shader_file("pairs.glsl"));
    constexpr const char* kOwn[] = {"components.frag",   "blocks.frag",  "phase.frag",     "toeplitz.frag",
                                    "shift_blocks.frag", "samples.frag", "difference.frag"};
    files.push_back(gl::shader_file(kOwn[static_cast<std::size_t>(kind)]));
    return files;
}

}  // namespace

Result<HeatmapProgram> HeatmapProgram::create(Kind kind, bool values) {
    const gl::ShaderText vertex[] = {gl::shader_file("target.vert")};
    auto object = gl::link_program(vertex, files_of(kind, values));
    if (!object) return tl::unexpected(std::move(object.error()));
    HeatmapProgram program;
    program.own(std::move(*object));
    program.bind_sampler("columns", 0);
    program.bind_sampler("rows", 1);
    for (const char* source : {"steps", "values", "turns"}) program.bind_sampler(source, 2);
    program.bind_sampler("subtracted", 3);
    const auto at = [&](const char* name) { return program.location(name); };
    program.at_ = {at("zero"),        at("below"),        at("above"),     at("full"),
                   at("border"),      at("inner_weight"), at("inner_row"), at("pairs"),
                   at("interleaved"), at("rotary"),       at("first"),     at("last_row")};
    glUniform3fv(at("cycle"), 5, &kPhaseCycle[0][0]);
    return program;
}

HeatmapProgram& HeatmapProgram::bind(int unit, const gl::Texture& texture) {
    gl::bind_texture(unit, texture);
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

HeatmapProgram& HeatmapProgram::set_inner_weights(double column, double row) {
    use();
    glUniform1f(at_.inner_weight, static_cast<float>(column));
    glUniform1f(at_.inner_row, static_cast<float>(row));
    return *this;
}

HeatmapProgram& HeatmapProgram::set_layout(std::size_t pairs, bool interleaved, bool rotary) {
    use();
    glUniform1i(at_.pairs, static_cast<GLint>(pairs));
    glUniform1i(at_.interleaved, interleaved ? 1 : 0);
    glUniform1i(at_.rotary, rotary ? 1 : 0);
    return *this;
}

HeatmapProgram& HeatmapProgram::set_rows(int height, gl::FirstRow first) {
    use();
    glUniform1i(at_.last_row, first == gl::FirstRow::top ? -1 : height - 1);
    return *this;
}

HeatmapProgram& HeatmapProgram::set_first(int first) {
    use();
    glUniform1i(at_.first, first);
    return *this;
}

}  // namespace posiscope::canvas
