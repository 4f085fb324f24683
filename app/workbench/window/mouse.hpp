// mouse.hpp — the mouse over the figures: what it hovers, holds and highlights, and the tip it shows. Highlights take effect
// in the next frame, so that all figures show the same.
#pragma once

#include "app/figures/figure.hpp"
#include "app/workbench/window/text_field.hpp"

#include <optional>

namespace posiscope::workbench {

class Hand {
public:
    // Call before and after drawing all figures.
    void begin(const ui::Look& look, bool presenting);
    void end();

    // The mouse relative to an area, which becomes the ImGui item `id`.
    figures::Pointer pointer_over(const Rect& area, const char* id);
    // Takes the figure's tip, highlight and cursor.
    void take(const figures::Frame& frame);
    void rest_on(std::string_view figure) { next_hovered_ = figure; }

    std::string_view hovered() const { return hovered_; }  // the figure under the mouse; empty: none
    const figures::Link& link() const { return link_; }
    const figures::Tip& tip() const { return tip_; }
    figures::Cursor cursor() const { return cursor_; }
    bool changed() const { return changed_; }  // the highlight differs from the previous frame
    bool holds() const { return grip_.active() || field_.active(); }
    bool drags() const { return grip_.active(); }

    figures::Grip& grip() { return grip_; }
    Field& field() { return field_; }

private:
    // When presenting begins and ends, figures do not see the mouse until it moves or presses: nobody chose the spot under it.
    void rest();

    bool presenting_ = false, resting_ = false;
    std::optional<Point> rests_at_;  // pixels
    Point room_;
    figures::Grip grip_;
    Field field_;
    figures::Link link_, next_link_;
    figures::Tip tip_;
    figures::Cursor cursor_ = figures::Cursor::arrow;
    std::string_view hovered_, next_hovered_;
    Point press_;
    bool press_moved_ = false, changed_ = false;
};

}  // namespace posiscope::workbench
