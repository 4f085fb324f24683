// The error for a rejected shader, and a context without a window.
#include "tests/app/gl_support.hpp"

namespace posiscope::gl::gl_program_test {
namespace {

class GlProgram : public canvas::GlTest {};

TEST_F(GlProgram, a_broken_shader_names_its_file_and_numbers_its_source) {
    const ShaderText vertex[] = {shader_file("target.vert")};
    const ShaderText fragment[] = {
        shader_file("precision.glsl"),
        {"broken.frag", "out vec4 pixel;\nvoid main()\n{\n    pixel = nonsense;\n}\n"}};
    const auto program = link_program(vertex, fragment);
    ASSERT_FALSE(program);
    const Problem& problem = program.error();
    EXPECT_EQ(problem.key, "gl.shader");
    ASSERT_EQ(problem.values.size(), 3U);
    EXPECT_EQ(problem.values[0], (std::pair<std::string, std::string>{"file", "broken.frag"}));
    EXPECT_NE(problem.values[1].second.find("nonsense"), std::string::npos);
    // precision.glsl has five lines and the header one: the driver speaks of line 10, and the log shows it.
    EXPECT_NE(problem.values[1].second.find("10"), std::string::npos) << problem.values[1].second;
    EXPECT_NE(problem.values[2].second.find("\n-- broken.frag\n7  out vec4 pixel;\n"), std::string::npos)
        << problem.values[2].second;
    EXPECT_NE(problem.values[2].second.find("\n10      pixel = nonsense;\n"), std::string::npos);
}

TEST_F(GlProgram, the_file_at_fault_is_named_among_several) {
    const ShaderText vertex[] = {shader_file("target.vert")};
    const ShaderText fragment[] = {
        {"common.glsl", "float broken() { return nothing; }\n"},
        {"own.frag", "out vec4 pixel;\nvoid main() { pixel = vec4(broken()); }\n"}};
    const auto program = link_program(vertex, fragment);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().values[0].second, "common.glsl") << program.error().values[1].second;
}

TEST_F(GlProgram, stages_that_do_not_meet_are_refused) {
    const ShaderText vertex[] = {
        {"giving.vert", "uniform vec3 shared;\nvoid main() { gl_Position = vec4(shared, 1.0); }\n"}};
    const ShaderText fragment[] = {
        {"lonely.frag", "uniform vec4 shared;\nout vec4 pixel;\nvoid main() { pixel = shared; }\n"}};
    const auto program = link_program(vertex, fragment);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().key, "gl.shader");
    EXPECT_EQ(program.error().values[0].second, "lonely.frag");
}

TEST_F(GlProgram, handles_move_and_may_be_empty) {
    Texture empty;
    EXPECT_FALSE(empty);
    Texture made = Texture::create();
    const GLuint name = made.name();
    EXPECT_NE(name, 0U);
    empty = std::move(made);
    EXPECT_EQ(empty.name(), name);
    EXPECT_FALSE(made);  // NOLINT: what a moved-from handle is, is the point
    empty.reset();
    EXPECT_FALSE(empty);
    glBindTexture(GL_TEXTURE_2D, 0);
    EXPECT_EQ(glIsTexture(name), GL_FALSE);
}

TEST_F(GlProgram, read_back_is_top_row_first) {
    Framebuffer target(PixelFormat::rgba8);
    target.resize(3, 2);
    target.bind();
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 1, 3, 1);  // the upper row of a window
    glClearColor(1.0F, 0.0F, 0.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    glScissor(0, 0, 3, 1);
    glClearColor(0.0F, 1.0F, 0.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    EXPECT_EQ(target.read().pixel(0, 0)[0], 255);
    EXPECT_EQ(target.read(FirstRow::top).pixel(0, 0)[1], 255);
}

TEST_F(GlProgram, drawing_a_heatmap_leaves_the_callers_state) {
    Framebuffer mine(PixelFormat::rgba8);
    mine.resize(16, 16);
    mine.bind();
    glEnable(GL_BLEND);
    glEnable(GL_SCISSOR_TEST);
    GLint before = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    const Spectrum spectrum = geometric_spectrum(1e4, 8, 16, 2);
    canvas::HeatmapView view;
    view.columns = {0, 0.0, 16.0};
    view.width = 33;
    view.height = 7;
    layer().draw(5, {view, {.steps = spectrum.step}});
    GLint after = 0;
    GLint viewport[4] = {};
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &after);
    glGetIntegerv(GL_VIEWPORT, viewport);
    EXPECT_EQ(after, before);
    EXPECT_EQ(viewport[2], 16);
    EXPECT_EQ(glIsEnabled(GL_BLEND), GL_TRUE);
    EXPECT_EQ(glIsEnabled(GL_SCISSOR_TEST), GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

}  // namespace
}  // namespace posiscope::gl::gl_program_test
