#include "app/workbench/picture.hpp"

#include "app/gl/framebuffer.hpp"
#include "app/window/gui.hpp"
#include "app/workbench/workbench.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope::workbench {
namespace {

// ImGui learns sizes while it draws: the second frame lays out as every later one does.
constexpr int kFrames = 2;

}  // namespace

Point smallest_room(const Shown& shown) {
    if (!shown.figure.empty()) return {440.0F, 320.0F};
    return shown.controls ? Point{1240.0F, 740.0F} : Point{860.0F, 560.0F};
}

Result<canvas::Layers> make_layers() {
    auto matrix = gl::MatrixLayer::create();
    if (!matrix) return tl::unexpected(matrix.error());
    auto clocks = gl::ClockLayer::create();
    if (!clocks) return tl::unexpected(clocks.error());
    return canvas::Layers{std::move(*matrix), std::move(*clocks)};
}

Result<gl::Image> picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options) {
    const int width = static_cast<int>(std::lround(options.width * options.scale));
    const int height = static_cast<int>(std::lround(options.height * options.scale));
    auto layers = make_layers();
    if (!layers) return tl::unexpected(layers.error());
    // Too small for what is to be seen: everything gets smaller together rather than on top of each other.
    const Shown shown{options.controls, options.figure};
    const Point room = smallest_room(shown);
    const float scale =
        static_cast<float>(options.scale) * std::min({1.0F, static_cast<float>(options.width) / room.x,
                                                      static_cast<float>(options.height) / room.y});
    const int largest = layers->matrix.largest_size();
    if (width > largest || height > largest)
        return refuse("picture.size", {{"width", std::to_string(width)},
                                       {"height", std::to_string(height)},
                                       {"maximum", std::to_string(largest)}});

    window::Gui gui;
    Workbench bench(scene, preferences, &*layers);
    gl::Framebuffer target(gl::PixelFormat::rgba8);
    target.resize(width, height);
    const gl::TargetGuard guard;
    const look::Colour ground =
        options.figure.empty() ? look::theme(preferences.theme).ground : look::theme(preferences.theme).tile;
    for (int frame = 0; frame < kFrames; ++frame) {
        gui.begin(width, height, scale, 1.0F / 60.0F);
        bench.frame(0.0F, scale, shown);
        target.bind();
        glDisable(GL_SCISSOR_TEST);
        glClearColor(static_cast<float>(ground & 0xffU) / 255.0F,
                     static_cast<float>((ground >> 8) & 0xffU) / 255.0F,
                     static_cast<float>((ground >> 16) & 0xffU) / 255.0F, 1.0F);
        glClear(GL_COLOR_BUFFER_BIT);
        gui.end();
    }
    return target.read();
}

}  // namespace posiscope::workbench
