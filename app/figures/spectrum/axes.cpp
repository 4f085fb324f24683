#include "app/figures/parts/explain.hpp"
#include "app/figures/parts/pair_plot.hpp"
#include "app/figures/parts/patch.hpp"
#include "app/figures/parts/text.hpp"
#include "app/figures/spectrum/spectrum.hpp"

namespace posiscope::figures::spectrum {

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
