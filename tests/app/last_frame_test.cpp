// A frame is left out where it would draw what is there: never when anything it draws has changed.
#include "app/canvas/screen/screen.hpp"
#include "app/platform/gui.hpp"
#include "app/ui/fonts.hpp"
#include "tests/app/gl_support.hpp"

#include <functional>
#include <imgui.h>

namespace posiscope::test::last_frame_test {
namespace {

class GlLastFrame : public canvas::GlTest {
protected:
    // Whether a second frame, drawn by `then`, repeats the one drawn by `first`.
    bool repeats(const std::function<void(canvas::Screen&)>& first,
                 const std::function<void(canvas::Screen&)>& then) {
        platform::Gui gui;
        const ui::Fonts fonts = ui::add_fonts(*ImGui::GetIO().Fonts);
        auto layers = canvas::Layers::create(canvas::Target::framebuffer);
        EXPECT_TRUE(layers) << to_string(layers.error());
        canvas::Screen screen(fonts, &*layers);
        gl::Framebuffer target(gl::PixelFormat::rgba8);
        target.resize(200, 150);
        target.bind();
        bool same = false;
        for (int i = 0; i < 5; ++i) {  // the first ones make glyphs and learn sizes
            gui.begin(200, 150, 1.0F, 1.0F / 60.0F);
            screen.begin(*ImGui::GetBackgroundDrawList(), 1.0F);
            (i < 4 ? first : then)(screen);
            same = gui.finish();
            if (!same) gui.draw();
        }
        return same;
    }
};

void clock_at(canvas::Screen& screen, float angle) {
    canvas::Clock clock;
    clock.x = clock.y = 50.0F;
    clock.angle_p = angle;
    screen.clocks({&clock, 1}, {});
}

void samples_of(canvas::Screen& screen, float value, int width) {
    const std::vector<float> samples(static_cast<std::size_t>(width) * 40, value);
    canvas::Heatmap heatmap{{}, {.samples = samples}, canvas::samples_key(samples)};
    heatmap.view.field = Field::samples;
    heatmap.view.width = width;
    heatmap.view.height = 40;
    screen.heatmap(0, {10.0F, 10.0F, 90.0F, 50.0F}, heatmap);
}

TEST_F(GlLastFrame, IsRepeatedByTheSameCallsAlone) {
    const auto text = [](const char* words) {
        return [words](canvas::Screen& screen) { screen.text({20.0F, 60.0F}, words, {0xffffffffU}); };
    };
    EXPECT_TRUE(repeats(text("1024"), text("1024")));
    EXPECT_FALSE(repeats(text("1024"), text("1025")));
    const auto fill = [](float right, canvas::Colour colour) {
        return [=](canvas::Screen& screen) { screen.fill({0.0F, 0.0F, right, 150.0F}, colour, 0.0F); };
    };
    EXPECT_TRUE(repeats(fill(190.0F, 0xff102030U), fill(190.0F, 0xff102030U)));
    EXPECT_FALSE(repeats(fill(190.0F, 0xff102030U), fill(190.0F, 0xff102031U)));
    EXPECT_FALSE(repeats(fill(190.0F, 0xff102030U), fill(189.0F, 0xff102030U)));
}

TEST_F(GlLastFrame, SeesClocksAndHeatmapsChange) {
    const auto clock = [](float angle) { return [=](canvas::Screen& screen) { clock_at(screen, angle); }; };
    EXPECT_TRUE(repeats(clock(0.25F), clock(0.25F)));
    EXPECT_FALSE(repeats(clock(0.25F), clock(0.26F)));
    for (const int width : {80, 20}) {  // copied; drawn larger
        const auto samples = [&](float value) {
            return [=](canvas::Screen& screen) { samples_of(screen, value, width); };
        };
        EXPECT_TRUE(repeats(samples(0.5F), samples(0.5F))) << width;
        EXPECT_FALSE(repeats(samples(0.5F), samples(0.6F))) << width;
    }
}

}  // namespace
}  // namespace posiscope::test::last_frame_test
