// slide_bar.hpp — the foot of a slide: how far the lecture has come, and its controls while the mouse moves.
#pragma once

#include "app/panels/actions.hpp"
#include "app/panels/guide.hpp"
#include "app/panels/timeline.hpp"

namespace posiscope::panels {

struct SlideBar {
    const Band& band;
    TimelineView& timeline;
    std::span<const Action> actions;
    bool shown = false;                                  // its controls
    bool moves = false;                                  // the position moves something
    bool notes = false, drawing = false, laser = false;  // are on
};

// "1:10/0:50 · 9:02/7:00  +2:02": of the step and of the lesson against what was planned, and how late that is: it counts from
// the end of the step that is on.
std::string_view clock_text(ui::Scratch& scratch, const Band& band);

// Draws the position's track with play and pause; timeline.cpp has it.
void timeline(Panel& panel, TimelineView& view, Rect area);

}  // namespace posiscope::panels
