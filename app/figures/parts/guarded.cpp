#include "app/figures/parts/guarded.hpp"

namespace posiscope::figures {

void say_failure(Frame& frame, Rect area, std::string_view sentence) {
    frame.next.reset();
    frame.hovered = {};
    frame.tip = {};
    frame.cursor = Cursor::arrow;
    frame.canvas.fill(area, frame.theme.tile);
    frame.canvas.paragraph({area.x0, area.y0 + 8.0F}, sentence,
                           {frame.theme.ink_soft, ui::kTextSize, ui::Face::text},
                           std::min(area.width(), 560.0F));
}

}  // namespace posiscope::figures
