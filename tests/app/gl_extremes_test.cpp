// Extreme windows and drivers: one pixel, more pixels than a texture's side, monitors of scale 3, drivers with small
// textures, a lost context.
#include "app/platform/gui.hpp"
#include "app/platform/window.hpp"
#include "app/workbench/workbench.hpp"
#include "tests/app/gl_support.hpp"

#include <set>

namespace posiscope::test::gl_extremes_test {
namespace {

using platform::ResetWatch;

class GlExtremes : public canvas::GlTest {
protected:
    // The whole bench as a window of that size on a monitor of that scale shows it.
    static Image window(int width, int height, float monitor_scale, canvas::Layers& layers,
                        const Json& partial = Json::object()) {
        const float scale = workbench::fit({width, height, monitor_scale}, 1.0).scale;
        platform::Gui gui;
        workbench::Workbench bench(overlay(Scene(), partial)->scene, {}, &layers);
        gl::Framebuffer target(gl::PixelFormat::rgba8);
        target.resize(width, height);
        for (int i = 0; i < 2; ++i) {
            gui.begin(width, height, scale, 1.0F / 60.0F);
            bench.frame(1.0F / 60.0F, scale);
            target.bind();
            glDisable(GL_SCISSOR_TEST);
            glClearColor(0.0F, 0.0F, 0.0F, 1.0F);
            glClear(GL_COLOR_BUFFER_BIT);
            gui.end();
        }
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR)) << width << " x " << height;
        return target.read();
    }
    static std::size_t colours(const Image& image) {
        std::set<std::uint32_t> all;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4)
            all.insert(image.rgba[i] * 65536U + image.rgba[i + 1] * 256U + image.rgba[i + 2]);
        return all.size();
    }
    static canvas::Layers layers() {
        auto made = canvas::Layers::create(canvas::Target::framebuffer);
        EXPECT_TRUE(made) << to_string(made.error());
        return std::move(*made);
    }
};

TEST_F(GlExtremes, windows_of_one_pixel_and_of_one_row) {
    canvas::Layers made = layers();
    for (const auto& [width, height] : {std::pair(1, 1), std::pair(900, 1), std::pair(1, 700)})
        EXPECT_EQ(window(width, height, 1.0F, made).width, width);
}

TEST_F(GlExtremes, a_window_as_wide_as_textures_are) {
    canvas::Layers made = layers();
    const int widest = std::min(16384, made.heatmaps.largest_size());
    EXPECT_GT(colours(window(widest, 420, 1.0F, made)), 100U) << "little was drawn";
}

TEST_F(GlExtremes, a_monitor_of_scale_three) {
    canvas::Layers made = layers();
    EXPECT_FLOAT_EQ(workbench::fit({3840, 2400, 3.0F}, 1.0).scale, 3.0F);
    EXPECT_GT(colours(window(3840, 2400, 3.0F, made)), 100U) << "little was drawn";
}

TEST_F(GlExtremes, heatmaps_larger_than_the_driver_s_textures_are_drawn_smaller) {
    canvas::Layers made = layers();
    made.heatmaps.limit_size(128);
    const Json modes[] = {{{"encoding", "sinusoidal"}},
                          {{"encoding", "learned"}, {"length", 300}},
                          {{"view", {{"matrix", {{"mode", "residual"}}}}}},
                          {{"view", {{"matrix", {{"mode", "gram"}}}}}},
                          {{"encoding", "alibi"}}};
    for (const Json& partial : modes) {
        const Image image = window(1280, 800, 1.0F, made, partial);
        EXPECT_GT(colours(image), 60U) << partial.dump() << ": little was drawn";
    }
}

TEST(Reset, is_asked_for_by_the_names_it_has) {
    static unsigned status = 0;
    const auto watch_of = [](ResetWatch::Function (*find)(const char*)) { return ResetWatch(find); };
    EXPECT_FALSE(ResetWatch().lost()) << "a driver that cannot tell was taken at its word";
    EXPECT_FALSE(watch_of([](const char*) -> ResetWatch::Function { return nullptr; }).lost());
    const ResetWatch watch = watch_of([](const char* name) -> ResetWatch::Function {
        if (std::string_view(name) != "glGetGraphicsResetStatusARB") return nullptr;
        return reinterpret_cast<ResetWatch::Function>(+[]() -> unsigned { return status; });
    });
    EXPECT_FALSE(watch.lost());
    for (const auto& [code, cause] :
         {std::pair(0x8253U, "ours"), std::pair(0x8254U, "other"), std::pair(0x8255U, "unknown")}) {
        status = code;
        const auto lost = watch.lost();
        ASSERT_TRUE(lost) << "status " << code << " was not noticed";
        EXPECT_EQ(lost->key, "gl.lost");
        EXPECT_EQ(*value_of(*lost, "cause"), cause);
    }
}

}  // namespace
}  // namespace posiscope::test::gl_extremes_test
