// overlays.hpp — drawn over the tiles: the tip beside the mouse, notices in the corner, the first-use hint.
#pragma once

#include "app/canvas/screen/screen.hpp"
#include "app/figures/figure.hpp"
#include "app/ui/look.hpp"
#include "app/workbench/window/layout.hpp"
#include "app/workbench/window/notices.hpp"

namespace posiscope::workbench {

// The place of a tip: beside the mouse, or beside the cells that it would hide, at the mouse's height.
Rect tip_box(Point mouse, Point window, Point size, Rect beside);
void draw_tip(canvas::Screen& screen, const ui::Look& look, const figures::Tip& tip);
// From the lower right corner of `area` upwards.
void draw_notices(canvas::Screen& screen, const ui::Look& look, const Notices& notices, Rect area);
// A still ring around what a lesson speaks of: "matrix" is a tile, "matrix:position" a handle in it.
void draw_point(canvas::Screen& screen, const ui::Look& look, std::string_view point,
                std::span<const Tile> tiles, std::span<const figures::HandleMark> handles);
// Rings around the hand that the first headline asks to drag; a word beside it would lie on numbers.
void draw_hint(canvas::Screen& screen, const ui::Look& look, std::string_view figure,
               std::span<const figures::HandleMark> handles);

}  // namespace posiscope::workbench
