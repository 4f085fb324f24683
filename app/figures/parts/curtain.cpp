#include "app/figures/parts/curtain.hpp"

#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/handles.hpp"

namespace posiscope::figures::curtain {
namespace {

using canvas::Align;
using ui::Face;

constexpr double kLeast = 0.02;  // of the picture that each side keeps

double part_of(const Frame& f) {
    // The middle would compare A's sines with B's cosines if sines stand before cosines: each side gets sines.
    const double usual = f.figure == "matrix" && (f.mode == "value" || f.mode == "residual") ? 0.25 : 0.5;
    const Json* chosen = view_value(f.scene, f.figure, "curtain");
    if (chosen == nullptr || !chosen->is_number()) return usual;
    const double part = chosen->get<double>();
    return part >= kLeast && part <= 1.0 - kLeast ? part : usual;
}

}  // namespace

float edge_of(const Frame& f, Rect plot, std::size_t columns) {
    auto part = static_cast<float>(part_of(f));
    const auto count = static_cast<float>(columns);
    if (columns > 1 && plot.width() >= cells::kWithNumbers * count)
        part = std::clamp(std::round(part * count), 1.0F, count - 1.0F) / count;
    return plot.x0 + part * plot.width();
}

bool over_b(const Frame& f, Rect plot, std::size_t columns) {
    return f.over(plot) && f.pointer->at.x > edge_of(f, plot, columns);
}

Frame frame_of_b(Frame& f, bool pointer) {
    return {.canvas = f.canvas,
            .theme = f.theme,
            .strings = f.strings,
            .scratch = f.scratch,
            .derived = f.other->derived,
            .scene = f.other->scene,
            .link = f.link,
            .pointer = pointer ? f.pointer : nullptr,
            .next = {},
            .hovered = {},
            .tip = {},
            .figure = f.figure,
            .mode = f.mode};
}

void drag(Frame& f, Rect plot, std::string_view handle, std::size_t columns) {
    const float edge = edge_of(f, plot, columns);
    const Rect reach{edge - 5.0F, plot.y0, edge + 5.0F, plot.y1 + 8.0F};
    if (f.drag(handle, f.over(reach), {edge, plot.y1}, Cursor::horizontal) && f.pointer->moved)
        set_view_value(f.edit(), f.figure, "curtain",
                       std::clamp(static_cast<double>((f.pointer->at.x - plot.x0) / plot.width()), kLeast,
                                  1.0 - kLeast));
}

void draw_edge(Frame& f, Rect plot, bool named, std::size_t columns) {
    const float edge = edge_of(f, plot, columns);
    f.canvas.line({edge, plot.y0}, {edge, plot.y1}, {f.theme.tile, 4.0F});
    f.canvas.line({edge, plot.y0 - (named ? 12.0F : 0.0F)}, {edge, plot.y1}, {f.theme.ink, 1.4F});
    end_handle(f, {edge, plot.y1}, 5.0F, f.theme.ink);
    if (!named) return;
    f.canvas.text({edge - 7.0F, plot.y0 - 6.0F}, "A",
                  {f.theme.ink, ui::kSmallSize, Face::strong, Align::right});
    f.canvas.text({edge + 7.0F, plot.y0 - 6.0F}, "B", {f.theme.ink, ui::kSmallSize, Face::strong});
}

}  // namespace posiscope::figures::curtain
