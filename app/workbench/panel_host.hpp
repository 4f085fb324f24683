// panel_host.hpp — the panels of a frame: gives each its area, its part of the Scene and its view, takes its edits, and does
// what was chosen in it.
#pragma once

#include "app/panels/panels.hpp"
#include "app/panels/toolbar.hpp"
#include "app/workbench/finder.hpp"
#include "app/workbench/share/requests.hpp"
#include "app/workbench/teach/comparison_tables.hpp"

#include <functional>
#include <optional>

namespace posiscope::workbench {

class Workbench;

class PanelHost {
public:
    PanelHost(Workbench& bench, Requests& requests) : bench_(bench), requests_(requests) {}

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
    bool held = false;  // a control is held in this frame

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
    void choose(const panels::ToolbarView::Chosen& chosen);
    void show(const Found& found);
    void show_of_notes(const panels::HelpView& chosen);

    Workbench& bench_;
    Requests& requests_;
    LivingTables living_tables_;
    Finder finder_;
    panels::FindState find_;
    std::vector<panels::Recent> recent_;  // when the menu was opened
    // Shares of the height that the sheet below the figure takes; a lesson's once it was dragged.
    float sheet_ = 0.46F;
    std::optional<float> lesson_sheet_;
    Rect offer_room_;  // in this frame, while there is an offer
};

}  // namespace posiscope::workbench
