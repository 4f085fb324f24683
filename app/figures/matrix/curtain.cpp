// curtain.cpp — A left of a curtain and B right of it. Under the mouse, each side tells its own numbers.
#include "app/figures/matrix/matrix.hpp"

#include "app/figures/parts/curtain.hpp"
#include "app/figures/parts/explain.hpp"

namespace posiscope::figures::matrix {
namespace {

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

void draw_curtain(Frame& f, Rect area) {
    const Other& other = *f.other;
    const std::string_view why = obstacle(f);
    if (!why.empty()) explain_missing_b(f, area, why);
    f.other = nullptr;  // each side is drawn as if it were alone
    const auto plot = draw_one(f, area, 0, why.empty());
    f.other = &other;
    if (!plot || !why.empty()) return;
    const float edge = curtain::edge_of(f, *plot);
    const bool right = curtain::over_b(f, *plot);
    Frame of_b = curtain::frame_of_b(f, right);
    {
        const canvas::Clip clip(f.canvas, {edge, plot->y0, plot->x1, plot->y1});
        draw_one(of_b, area, 1, false, edge);
    }
    if (right) f.tip = of_b.tip, f.hovered = of_b.hovered;
    curtain::draw_edge(f, *plot, true);
}

}  // namespace posiscope::figures::matrix
