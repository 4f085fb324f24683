// panel_host.hpp — the panels of a frame: gives each its area, its part of the Scene and its view, takes its edits and passes
// its commands on.
#pragma once

#include "app/panels/panels.hpp"
#include "app/panels/toolbar.hpp"
#include "app/workbench/finder.hpp"
#include "app/workbench/teach/comparison_tables.hpp"

#include <functional>
#include <optional>

namespace posiscope::workbench {

class Workbench;

class PanelHost {
public:
    explicit PanelHost(Workbench& bench) : bench_(bench) {}

    void begin() { held = false; }
    // Draws the panels at the edges and between them, in the room that remains, the figures: in the order of reading, in which Tab
    // goes. Returns the room.
    Rect draw_around(const ui::Look& look, Rect area, const std::function<void(Rect)>& draw_figures);
    void draw_over(const ui::Look& look, Rect area);

    // Opens the field that finds anything.
    void find_anything();

    void work_in(figures::Background& background) { living_tables_.work_in(&background); }

    panels::Typing typing;
    panels::Formulas formulas;
    bool held = false;                   // a control is held in this frame
    std::vector<panels::Recent> recent;  // when the menu was opened

private:
    struct FrameViews;
    // A panel at its edge: its area, the line along its inner edge, and the room before it.
    struct Place {
        const panels::PanelEntry* entry = nullptr;
        Rect area, line, whole;
        bool below = false;
    };

    Place cut(const panels::PanelEntry& entry, const FrameViews& frame, Rect& room) const;
    void draw_at_edge(const ui::Look& look, const Place& place, const FrameViews& frame);
    std::optional<float> drag_sheet(const ui::Look& look, Rect edge, Rect whole);
    void draw_one(const ui::Look& look, const panels::PanelEntry& entry, const FrameViews& frame, Rect area);
    void apply_panel_output(FrameViews& frame);

    Workbench& bench_;
    panels::Commands commands_;  // of the panels that are being drawn
    LivingTables living_tables_;
    Finder finder_;
    panels::FindState find_;
    // Shares of the height that the sheet below the figure takes; a lesson's once it was dragged.
    float sheet_ = 0.46F;
    std::optional<float> lesson_sheet_;
    Rect offer_room_;  // in this frame, while there is an offer
};

}  // namespace posiscope::workbench
