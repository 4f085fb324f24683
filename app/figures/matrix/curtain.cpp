// curtain.cpp — A and B as one picture with a curtain between them that can be drawn aside: two heatmaps would hide one
// another. Under the mouse, each side tells its own numbers.
#include "app/figures/matrix/matrix.hpp"

#include "app/figures/parts/explain.hpp"

namespace posiscope::figures::matrix {
namespace {

using canvas::Align;
using ui::Face;

constexpr double kLeast = 0.02;  // of the picture that each side keeps

double part_of(const Frame& f) {
    const Json* chosen = view_value(f.scene, f.figure, "curtain");
    if (chosen == nullptr || !chosen->is_number()) return 0.5;
    const double part = chosen->get<double>();
    return part >= kLeast && part <= 1.0 - kLeast ? part : 0.5;
}

float edge_of(Rect plot, double part) { return plot.x0 + static_cast<float>(part) * plot.width(); }

// Both sides need the same rows and columns, or the curtain would jump.
std::string_view obstacle(const Frame& f) {
    const Scene &a = f.scene, &b = f.other->scene;
    const auto offered = find_figure(f.figure)->modes(b);
    if (std::ranges::find(offered, f.mode) == offered.end()) return "compare.curtain_kind";
    const Spectrum *of_a = circles(f), *of_b = circles(*f.other);
    const bool pairs =
        (of_a == nullptr) == (of_b == nullptr) && (of_a == nullptr || of_a->pairs() == of_b->pairs());
    if (!pairs || a.length != b.length || a.d_model != b.d_model) return "compare.curtain_size";
    return {};
}

}  // namespace

void drag_curtain(Frame& f, Rect plot, double part) {
    const float edge = edge_of(plot, part);
    const Rect reach{edge - 5.0F, plot.y0, edge + 5.0F, plot.y1 + 8.0F};
    if (f.drag("curtain", f.over(reach), {edge, plot.y1}, Cursor::horizontal) && f.pointer->moved)
        set_view_value(f.edit(), f.figure, "curtain",
                       std::clamp(static_cast<double>((f.pointer->at.x - plot.x0) / plot.width()), kLeast,
                                  1.0 - kLeast));
}

void draw_curtain(Frame& f, Rect area) {
    const Other& other = *f.other;
    const std::string_view why = obstacle(f);
    if (!why.empty()) explain_missing_b(f, area, why);
    f.other = nullptr;  // each side is drawn as if it were alone
    const double part = part_of(f);
    const auto plot = draw_one(f, area, 0, why.empty() ? std::optional(part) : std::nullopt);
    f.other = &other;
    if (!plot || !why.empty()) return;
    const float edge = edge_of(*plot, part);
    const bool right = f.pointer != nullptr && f.pointer->at.x > edge && f.over(*plot);
    Frame of_b{.canvas = f.canvas,
               .theme = f.theme,
               .strings = f.strings,
               .scratch = f.scratch,
               .derived = other.derived,
               .scene = other.scene,
               .link = f.link,
               .pointer = right ? f.pointer : nullptr,
               .next = {},
               .hovered = {},
               .tip = {},
               .figure = f.figure,
               .mode = f.mode};
    {
        const canvas::Clip clip(f.canvas, {edge, plot->y0, plot->x1, plot->y1});
        draw_one(of_b, area, 1, std::nullopt);
    }
    if (right) f.tip = of_b.tip, f.hovered = of_b.hovered;
    f.canvas.line({edge, plot->y0}, {edge, plot->y1}, {f.theme.tile, 4.0F});
    f.canvas.line({edge, plot->y0 - 12.0F}, {edge, plot->y1}, {f.theme.ink, 1.4F});
    f.canvas.knob({edge, plot->y1}, 5.0F, f.theme.ink, f.theme.tile);
    f.canvas.text({edge - 7.0F, plot->y0 - 6.0F}, "A",
                  {f.theme.ink, ui::kSmallSize, Face::strong, Align::right});
    f.canvas.text({edge + 7.0F, plot->y0 - 6.0F}, "B", {f.theme.ink, ui::kSmallSize, Face::strong});
}

}  // namespace posiscope::figures::matrix
