#include "app/figures/parts/severity.hpp"

namespace posiscope::figures {

void draw_mark(Frame& f, Point at, Severity severity) {
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    constexpr float r = 8.5F;
    if (severity == Severity::note) {
        c.circle(at, r - 0.8F, {theme.beyond, 1.6F});
        c.line({at.x, at.y - 4.5F}, {at.x, at.y + 1.0F}, {theme.beyond, 2.0F});
        c.disc({at.x, at.y + 4.2F}, 1.3F, theme.beyond);
        return;
    }
    c.disc(at, r, severity == Severity::fine ? theme.seen : theme.beyond);
    const canvas::Stroke stroke{theme.tile, 2.0F};
    if (severity == Severity::fine) {
        const std::array tick = {Point{at.x - 4.0F, at.y + 0.3F}, Point{at.x - 1.2F, at.y + 3.2F},
                                 Point{at.x + 4.2F, at.y - 3.2F}};
        c.polyline(tick, stroke);
    } else {
        c.line({at.x - 3.2F, at.y - 3.2F}, {at.x + 3.2F, at.y + 3.2F}, stroke);
        c.line({at.x + 3.2F, at.y - 3.2F}, {at.x - 3.2F, at.y + 3.2F}, stroke);
    }
}

}  // namespace posiscope::figures
