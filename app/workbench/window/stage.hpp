// stage.hpp — what the figures are drawn on, and with: the screen, what was derived from A and B, and what tests and hints
// read of the last frame.
#pragma once

#include "app/canvas/screen/screen.hpp"
#include "app/figures/figure.hpp"
#include "app/panels/panel.hpp"

namespace posiscope::workbench {

// The part of the window to draw: all of it, the figures of the bench, or one figure.
struct Shown {
    bool controls = true;
    std::string_view figure;       // alone, without the tile's menu; empty: the bench
    bool transparent = false;      // no background
    Rect part = {};                // the visible part, in points, if an image is drawn in bands; empty: all
    canvas::Canvas* on = nullptr;  // draw the tiles on this canvas instead of the screen
    std::string_view below = {};   // words across the foot of the picture
    bool plain = false;            // of `figure`: without its title line and headline
};

// Positions in the last frame, for the hint and for tests.
struct Seen {
    std::vector<figures::HandleMark> handles;
    std::vector<std::string_view> headlines;  // valid until the next frame
    bool with_controls = false;               // record `controls` too, from the next frame
    std::vector<panels::ControlMark> controls;
    std::vector<Rect> pointed;  // controls that the step speaks of

    std::vector<panels::ControlMark>* marks() { return with_controls ? &controls : nullptr; }
    void clear() { handles.clear(), headlines.clear(), controls.clear(), pointed.clear(); }
};

struct Stage {
    canvas::Screen screen;
    figures::Derived derived{}, derived_b{};
    Seen seen{};
};

}  // namespace posiscope::workbench
