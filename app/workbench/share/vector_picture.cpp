#include "app/platform/gui.hpp"
#include "app/workbench/share/picture.hpp"
#include "app/workbench/workbench.hpp"

namespace posiscope::workbench {

std::string vector_picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options,
                           exporting::VectorFormat format) {
    Shown shown{.controls = false,
                .figure = options.figure,
                .transparent = options.transparent,
                .below = options.below,
                .plain = options.plain || options.bare};
    const double shrink = shrunk(shown, options);
    platform::Gui gui(false);
    Workbench bench(drawn(scene, options), preferences, nullptr);
    prepare(bench, options);
    const Strings& strings = bench.appearance.strings();
    exporting::VectorPage page(
        {.format = format,
         .width = options.width,
         .height = options.height,
         .scale = shrink,
         .dpi = 96.0 * options.scale,
         .title = options.figure.empty()
                      ? std::string(strings.text(fmt::format("bench.{}.name", scene.bench)))
                      : std::string(strings.text(fmt::format("figure.{}.name", options.figure))),
         .typeface = options.typeface});
    shown.on = &page.canvas();
    if (options.style) page.canvas().set_line_weight(options.style->lines);
    const ui::Theme& theme = bench.appearance.theme();
    const auto scale = static_cast<float>(options.scale * shrink);
    gui.begin(options.pixel_width(), options.pixel_height(), scale, 1.0F / 60.0F);
    if (!options.transparent)
        page.canvas().fill({0.0F, 0.0F, static_cast<float>(options.width / shrink) + 1.0F,
                            static_cast<float>(options.height / shrink) + 1.0F},
                           options.figure.empty() ? theme.ground : theme.tile);
    bench.frame(0.0F, scale, shown);
    gui.end();
    return page.finish();
}

}  // namespace posiscope::workbench
