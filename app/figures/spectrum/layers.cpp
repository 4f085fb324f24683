#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/spectrum/spectrum.hpp"

namespace posiscope::figures::spectrum {
namespace {

// Lays the encoding with one parameter changed over the Scene, if it can be.
void set_parameter(Frame& f, const char* key, Json value) {
    Json encoding = f.scene.encoding.parameters;
    encoding["kind"] = f.scene.encoding.kind;
    encoding[key] = std::move(value);
    if (std::string_view(key) == "layer") encoding["layer_type"] = nullptr;  // the layer's own type counts
    if (auto laid = overlay(f.scene, {{"encoding", std::move(encoding)}})) f.next = std::move(laid->scene);
}

void draw_cell(Frame& f, Rect cell, int type, bool turns, bool here, bool lit) {
    const ui::Theme& theme = f.theme;
    const ui::Colour fill = type <= 0 ? theme.slider : ui::mixed(theme.slider, theme.tile, 0.62F);
    if (turns) f.canvas.fill(cell, fill, 2.0F);
    else f.canvas.outline(cell.grown(-0.5F), {theme.ink_faint, 1.0F});
    if (here || lit)
        f.canvas.outline(cell.grown(1.5F), {here ? theme.ink : theme.ink_faint, here ? 1.8F : 1.2F});
}

}  // namespace

void draw_layers(Frame& f, const RopeLayers& layers, Rect plot, Rect strip) {
    const bool numbered = !layers.layers.empty();
    const std::size_t count = numbered ? layers.layers.size() : layers.types.size();
    const Json& parameters = f.scene.encoding.parameters;
    const std::size_t here = numbered ? parameters.value("layer", std::size_t{0})
                                      : static_cast<std::size_t>(std::max(0, layers.present));
    const Rect cells{plot.x0, strip.y0 + 3.0F, plot.x1, strip.y0 + 14.0F};
    const float width = std::min(cells.width() / static_cast<float>(count), numbered ? 18.0F : 90.0F);
    std::size_t shown = here;
    for (std::size_t l = 0; l < count; ++l) {
        const float x = cells.x0 + width * static_cast<float>(l);
        const Rect cell{x, cells.y0, x + std::max(1.0F, width - 2.0F), cells.y1};
        const bool lit = f.over({x, strip.y0, x + width, strip.y0 + 18.0F});
        const int type = numbered ? layers.layers[l].type : static_cast<int>(l);
        draw_cell(f, cell, type, !numbered || layers.layers[l].turns, l == here, lit);
        if (!lit) continue;
        shown = l;
        f.cursor = Cursor::hand;
        if (f.clicked(cell.grown(4.0F))) {
            if (numbered) set_parameter(f, "layer", static_cast<std::int64_t>(l));
            else set_parameter(f, "layer_type", layers.types[l]);
        }
    }
    const bool turns = !numbered || (shown < count && layers.layers[shown].turns);
    const int type = !numbered ? static_cast<int>(shown) : shown < count ? layers.layers[shown].type : -1;
    const std::string_view kind = !turns      ? f.text("spectrum.layer_nope")
                                  : type >= 0 ? std::string_view(layers.types[static_cast<std::size_t>(type)])
                                              : f.text("spectrum.layer_rope");
    const std::string_view words =
        !numbered ? kind : f.format("spectrum.layer", fmt::arg("layer", shown), fmt::arg("kind", kind));
    f.canvas.text({cells.x0, strip.y0 + 31.0F}, words, small(f));
    if (layers.goes_on)
        f.canvas.text({cells.x0 + width * static_cast<float>(count) + 4.0F, cells.y1}, "…", small(f));
}

// M-RoPE and rope_2d: a band under the curve, by the axis that each pair's position is on.
void draw_axes(Frame& f, Rect plot, const canvas::Axis& x) {
    const PairAxes& axes = axes_of(f);
    if (axes.empty()) return;
    const float pixel = 1.0F / f.canvas.pixels_per_point();
    const auto colour = [&](int axis) {
        return ui::mixed(f.theme.tile, f.theme.ink, 0.10F + 0.14F * static_cast<float>(axis));
    };
    const Rect band{plot.x0, plot.y1 - 16.0F, plot.x1, plot.y1};
    for (std::size_t i = 0, end = 0; i < axes.axis.size(); i = end) {
        while (end < axes.axis.size() && axes.axis[end] == axes.axis[i]) ++end;
        const float x0 = std::max(band.x0, pair_column(x, static_cast<double>(i), band, pixel).x0),
                    x1 = std::min(band.x1, pair_column(x, static_cast<double>(end - 1), band, pixel).x1);
        if (x1 <= x0) continue;
        f.canvas.fill({x0, band.y0, x1, band.y1}, colour(axes.axis[i]));
        if (x1 - x0 > 12.0F)
            f.canvas.text({0.5F * (x0 + x1), band.y1 - 4.0F}, axes.of(i),
                          small_ink(f, canvas::Align::centre));
    }
    text_on_patch(f, {band.x1, band.y0 - 5.0F}, f.format("axes.band", fmt::arg("axes", axes_words(f))),
                  small(f, canvas::Align::right));
}

}  // namespace posiscope::figures::spectrum
