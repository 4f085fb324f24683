#include "app/workbench/share/picture.hpp"

#include "app/export/png.hpp"
#include "app/workbench/workbench.hpp"

#include <imgui.h>

namespace posiscope::workbench {

PictureOptions as_seen(const Workbench& bench, std::string_view figure, bool vector) {
    PictureOptions options;
    Rect area{0.0F, 0.0F, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y};
    if (vector || !figure.empty()) {
        const Rect tiles = bench.layout.around(figure);
        for (const Tile& tile : bench.layout.tiles())
            if (tile.figure == figure) options.figure = tile.figure;
        if (!tiles.empty()) area = figure.empty() ? tiles.grown(kGap) : tiles;
    }
    options.width = std::floor(static_cast<double>(area.width()));
    options.height = std::floor(static_cast<double>(area.height()));
    options.scale = vector ? kVectorDpi / 96.0 : bench.preferences.picture_scale;
    options.controls = !vector && figure.empty();
    options.results = bench.training.trainer().bank();
    if (options.controls) options.like = &bench;
    return options;
}

Result<std::string> picture_bytes(const Workbench& bench, const PictureOptions& options,
                                  std::string_view ending) {
    const Scene& scene = bench.session.scene();
    if (ending != ".png")
        return vector_picture(scene, bench.preferences, options,
                              ending == ".pdf" ? exporting::VectorFormat::pdf : exporting::VectorFormat::svg);
    const auto text = exporting::scene_text(scene);
    if (!text) return tl::unexpected(text.error());
    const auto results = scene.bench == "experiment" ? results_text(options) : Result<std::string>();
    if (!results) return tl::unexpected(results.error());
    const auto image = picture(scene, bench.preferences, options);
    if (!image) return tl::unexpected(image.error());
    return exporting::png(*image, {.dpi = 96.0 * options.scale, .scene = *text, .results = *results});
}

}  // namespace posiscope::workbench
