// Kept pictures are copied to where they are shown: pixel by pixel what the layer draws, whatever is cut off, and the
// same for a window, whose rows are kept the other way round.
#include "app/canvas/screen/screen.hpp"
#include "app/platform/gui.hpp"
#include "app/ui/fonts.hpp"
#include "tests/app/gl_support.hpp"

#include <imgui.h>

namespace posiscope::test::gl_copy_test {
namespace {

constexpr int kWidth = 220, kHeight = 170;

class GlCopy : public canvas::GlTest {
protected:
    // The heatmap over `rect`, cut to `clip`, on black; read as it would be seen, top row first.
    static Image seen(canvas::Target target, const canvas::Heatmap& heatmap, Rect rect, Rect clip) {
        platform::Gui gui;
        const ui::Fonts fonts = ui::add_fonts(*ImGui::GetIO().Fonts);
        auto layers = canvas::Layers::create(target);
        EXPECT_TRUE(layers) << to_string(layers.error());
        canvas::Screen screen(fonts, &*layers);
        gl::Framebuffer pixels(gl::PixelFormat::rgba8);
        pixels.resize(kWidth, kHeight);
        gui.begin(kWidth, kHeight, 1.0F, 1.0F / 60.0F);
        screen.begin(*ImGui::GetBackgroundDrawList(), 1.0F);
        screen.fill({0.0F, 0.0F, kWidth, kHeight}, 0xff000000U, 0.0F);
        screen.push_clip(clip);
        screen.heatmap(0, rect, heatmap);
        screen.pop_clip();
        pixels.bind();
        gui.end();
        return pixels.read();
    }
};

// What is within both is the layer's own picture; all else is black.
TEST_F(GlCopy, AHeatmapIsThePictureOfItsLayerWhereItIsSeen) {
    const Spectrum spectrum = geometric_spectrum(1e4, 32, 64, 2);
    canvas::Heatmap heatmap{{}, {.steps = spectrum.step}};
    heatmap.view.rows = {0, 0.0, 23.0};
    heatmap.view.columns = {0, 0.0, 64.0};
    const Rect rect{30.0F, 20.0F, 180.0F, 131.0F};
    for (const bool blocks : {true, false})
        for (const Rect clip : {Rect{0.0F, 0.0F, kWidth, kHeight}, Rect{51.0F, 33.0F, 111.0F, 90.0F},
                                Rect{100.0F, -5.0F, 400.0F, 400.0F}, Rect{0.0F, 0.0F, 20.0F, 20.0F}}) {
            heatmap.view.blocks = blocks;
            if (!blocks) heatmap.view.columns = {0, 0.0, 40.0};
            canvas::Heatmap alone = heatmap;
            alone.view.width = 150;
            alone.view.height = 111;
            const Image own = layer().image(alone);
            for (const canvas::Target target : {canvas::Target::framebuffer, canvas::Target::window}) {
                const Image image = seen(target, heatmap, rect, clip);
                int differing = 0;
                for (int y = 0; y < kHeight; ++y)
                    for (int x = 0; x < kWidth; ++x) {
                        const Point at{static_cast<float>(x), static_cast<float>(y)};
                        const std::uint8_t* drawn =
                            own.pixel(std::clamp(x - 30, 0, 149), std::clamp(y - 20, 0, 110));
                        const bool shown = rect.contains(at) && clip.contains(at) && drawn[3] != 0;
                        for (int channel = 0; channel < 3; ++channel)
                            differing += image.pixel(x, y)[channel] != (shown ? drawn[channel] : 0) ? 1 : 0;
                    }
                EXPECT_EQ(differing, 0) << "blocks " << blocks << ", clip from " << clip.x0 << ", target "
                                        << static_cast<int>(target);
            }
        }
}

}  // namespace
}  // namespace posiscope::test::gl_copy_test
