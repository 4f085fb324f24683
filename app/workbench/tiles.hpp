// tiles.hpp — the figures of the window: how they divide the room, and each with its title, menus and headline.
#pragma once

#include "app/ui/look.hpp"
#include "app/workbench/document/session.hpp"
#include "app/workbench/share/sharing.hpp"
#include "app/workbench/sizing.hpp"
#include "app/workbench/window/mouse.hpp"
#include "app/workbench/window/stage.hpp"

namespace posiscope::workbench {

// Ⓘ: the explanation of a figure, and what its letters mean.
class FigureInfo {
public:
    void button(Stage& stage, panels::Panel& panel, const figures::Figure& figure, Point centre);
    // Takes the strip's room from the picture, or opens the popup; nothing for a figure that was not asked about.
    void draw(Stage& stage, const ui::Look& look, const figures::Figure& figure, Rect& inside);

private:
    std::string of_;      // the figure whose explanation is open
    bool asked_ = false;  // in this frame
};

// Whether the headline of a tile may take two lines; then it has their room whether it fills them or not, so that what is dragged
// below it does not move.
bool two_lines(Rect tile);

// Whether position and offset move anything in the bench, or in the figure that is alone.
figures::Moves moves_in(const Bench& bench, const Layout& layout, const SpectrumInput& scene);

class Tiles {
public:
    Tiles(Session& session, Layout& layout, Hand& hand, const Sizing& sizing, Lecture& lecture,
          Sharing& sharing, Preferences& preferences, Requests& requests, Stage& stage,
          const panels::Playing& playing)
        : session_(session),
          layout_(layout),
          hand_(hand),
          sizing_(sizing),
          lecture_(lecture),
          sharing_(sharing),
          preferences_(preferences),
          requests_(requests),
          stage_(stage),
          playing_(playing) {}

    void draw(const ui::Look& look, Rect room, const Shown& shown);
    void copy_view_state(const Tiles& other) { info_ = other.info_; }

    bool invites = false;  // until somebody drags a hand, the bench's first figures ask for it
    bool panning = false;  // a press takes hold of the picture, not of its handles: two fingers

private:
    struct One;  // a tile while it is drawn

    void write_below(const ui::Look& look, const Shown& shown, Rect& room);
    void divide(const ui::Look& look, Rect room, const Shown& shown);
    void drag_dividers(const ui::Look& look, std::vector<double>& ratios);
    void draw_tile(const ui::Look& look, const Tile& tile, const Shown& shown);
    void show_with_rope(const One& one, const figures::Frame& frame);
    void background(const One& one);
    void title(One& one);
    void caption(One& one);
    void headline(One& one, figures::Frame& frame);
    void controls(const One& one);
    bool mode_items(const ui::Look& look, const figures::Figure& figure, Scene& next);
    void mode_name(const One& one, Rect area);
    void menu(const ui::Look& look, const figures::Figure& figure);
    void copy_items(const ui::Look& look, const figures::Figure& figure);
    void trace(const figures::Link& link);

    Session& session_;
    Layout& layout_;
    Hand& hand_;
    const Sizing& sizing_;
    Lecture& lecture_;
    Sharing& sharing_;
    Preferences& preferences_;
    Requests& requests_;
    Stage& stage_;
    const panels::Playing& playing_;
    FigureInfo info_;
    // Under the mouse when the figure's menu was opened.
    figures::Link menu_link_;
    std::string menu_value_;
};

}  // namespace posiscope::workbench
