// workbench.hpp — owns the parts of the window and draws a frame with them. A part knows no other part. What connects them
// is here: the table of actions (action_list.cpp) and the order of a frame (frame.cpp). Work that needs the system is returned
// as Requests.
#pragma once

#include "app/canvas/screen/screen.hpp"
#include "app/panels/panels.hpp"
#include "app/workbench/actions.hpp"
#include "app/workbench/document/open_files.hpp"
#include "app/workbench/document/session.hpp"
#include "app/workbench/requests.hpp"
#include "app/workbench/share/clipboard.hpp"
#include "app/workbench/share/copy_numbers.hpp"
#include "app/workbench/share/path_prompts.hpp"
#include "app/workbench/share/qr_code.hpp"
#include "app/workbench/teach/comparison_tables.hpp"
#include "app/workbench/teach/guide_window.hpp"
#include "app/workbench/train/training.hpp"
#include "app/workbench/window/appearance.hpp"
#include "app/workbench/window/layout.hpp"
#include "app/workbench/window/mouse.hpp"
#include "app/workbench/window/notices.hpp"
#include "app/workbench/window/remarks.hpp"
#include "app/workbench/window/scale.hpp"
#include "core/scene/link.hpp"

namespace posiscope::workbench {

// Which part of the window to draw: all of it, the figures of the bench, or one figure.
struct Shown {
    bool controls = true;
    std::string_view figure;       // alone, without the tile's menu; empty: the bench
    bool transparent = false;      // no background
    Rect part = {};                // the visible part, in points, if an image is drawn in bands; empty: all
    canvas::Canvas* on = nullptr;  // draw the tiles on this canvas instead of the screen
};

// The size in points that `shown` needs. In a smaller window, points shrink.
Point smallest_room(const Shown& shown);

// State of the panels between frames.
struct Controls {
    panels::Typing typing;
    panels::Playing playing;
    panels::HelpState help;
    LivingTables tables;
    bool attention_seen = false;  // the bench, since the start
    Notes notes;
    Teaching teaching;
    Training training;
    Presenting presenting;
    RoomCode room_code;
    Copying copying;
    std::string headline;              // for the band while no lesson is presented: that of the frame before
    std::string_view next_headline;    // of this frame
    bool sidebar_asked = false;        // shown although it is folded, or hidden although it is not
    bool info_asked = false;           // in this frame
    std::string info;                  // the figure whose explanation is open
    bool laser = false, lens = false;  // held in this frame
    std::vector<panels::Recent> recent;  // when the menu was opened
    bool held = false;                   // a control is held in this frame
    Point offer_at;        // the sidebar's lower left corner in this frame, while there is an offer
    bool panning = false;  // a press takes hold of the picture, whatever lies under it: two fingers
};

// Positions in the last frame, for the hint and for tests.
struct Seen {
    std::vector<figures::HandleMark> handles;
    std::vector<std::string_view> headlines;  // valid until the next frame
    bool with_controls = false;               // record `controls` too, from the next frame
    std::vector<panels::ControlMark> controls;
    std::vector<Rect> pointed;  // controls that the step speaks of
};

class Workbench {
public:
    // Needs the current ImGui context, now and in frame(). `layers` may be null in tests without GL. Exports call `wake`
    // from another thread.
    Workbench(
        Scene scene, Preferences preferences, canvas::Layers* layers, std::function<void()> wake = [] {});

    // One frame within ImGui::NewFrame … Render.
    Requests frame(float seconds, float pixels_per_point, const Shown& shown = {});

    // The pixels per point of the next frame, in a window of so many pixels.
    float fit(int width, int height, float monitor_scale);
    // The one figure that is shown, because somebody chose it or only one has room; empty: the bench.
    std::string_view alone() const;
    bool with_sidebar() const;
    // Looks as another does: what is alone, folded, presented and taught.
    void take_after(const Workbench& other);

    // Shows an opened file, between two frames, as an undo step.
    void show(const Opened& opened);
    // A file that the Scene names has changed: recompute in the next frame. The present frame may still have to be drawn
    // with the old numbers.
    void forget_derived() { stage_.stale = true; }
    // Lets figures compute slow values there; without it they compute them at once.
    void work_in(figures::Background& background) {
        stage_.derived.work_in(&background);
        stage_.derived_b.work_in(&background);
        controls.teaching.work_in(&background);
        controls.tables.work_in(&background);
    }
    // The most units of work for a value that has an end only by sampling; a picture and a window take kExactWork.
    void work_at_most(double units) {
        stage_.derived.work_at_most(units);
        stage_.derived_b.work_at_most(units);
    }
    // Shows what a link holds, as an undo step, or says why not.
    void open_link(const Link& link);
    // Copies a figure's numbers, or the row its menu was opened over.
    void copy_numbers(const figures::Figure& figure, bool line_only);
    // Opens the export dialog for a figure; empty: the bench.
    void ask_export(std::string_view figure);

    const Actions& actions() const { return actions_; }

    Preferences preferences;
    Appearance appearance;
    Session session;
    Layout layout;
    Notices notices;
    Documents documents;
    Exports exports;
    Asking asking;
    Clipboard clipboard;
    Hand hand;
    Controls controls;
    Seen seen;

private:
    // What the figures are drawn on, and with.
    struct Stage {
        canvas::Screen screen;
        figures::Derived derived{}, derived_b{};
        bool stale = false;
        // Under the mouse when the figure's menu was opened.
        figures::Link menu_link{};
        std::string menu_value{};
        Choice checked_content{};  // its words have been looked up in the fonts
        // The ids of the registries; figure_ids begins with "", the whole bench.
        std::vector<std::string_view> bench_ids{}, figure_ids{""}, quantity_ids{};
    };

    // action_list.cpp
    std::vector<panels::Action> table();
    // action_steps.cpp
    void move_by(std::int64_t positions, std::int64_t offset, std::int64_t pair);
    void compare(void (*change)(Scene&));
    void keep_b();
    void turn_to_bench(std::size_t forward);
    void turn_to(std::string_view bench);
    void turn_mode();
    void paste_scene();
    void copy_link();
    void show_room_code();
    std::string page() const;  // the address that links begin with; empty where none is known
    void copy(const Result<std::string>& text, std::string_view toast);
    void finish_copying();
    void enlarge(int by);
    std::string pointed_at() const;  // the figure that is alone or hovered; empty: the bench

    // frame.cpp
    void begin(float pixels_per_point);
    Requests blank(Rect room);
    void play(float seconds);
    Rect draw_panels(const ui::Look& look, Rect room, bool over);
    void draw_panel(const ui::Look& look, const panels::PanelEntry& entry, panels::Around& around, Rect area);
    void point_out(const ui::Look& look);
    void draw_overlays(const ui::Look& look, Rect room, float seconds);
    Requests end();
    void look_up_glyphs();

    bool offers_lessons() const;
    void take_offer(panels::Offer::Taken taken);

    // teach/lecture.cpp
    void present(bool on);
    void show_step();
    void turn(int by);
    bool holds_back() const;
    bool points_at_something() const;  // with the laser, the lens or the pen: no tip comes between
    panels::Band band();
    void draw_by_hand(Rect room);
    void draw_over_figures();
    void draw_pointers();

    // share/answers.cpp
    panels::ExportState exporting();
    void choose(const panels::Chosen& chosen);
    void ask_questions(const ui::Look& look, Rect room);
    void serve_export(const panels::ExportState& state, std::string_view figure_before);
    std::vector<std::string> export_words(const panels::ExportState& state) const;
    std::array<int, 2> seen_size(std::string_view figure) const;

    // window/tiles.cpp
    void divide(Rect room, const Shown& shown);
    void drag_dividers(std::vector<double>& ratios);
    void draw_tile(const ui::Look& look, const Tile& tile, const Shown& shown);
    void tile_controls(const ui::Look& look, const figures::Figure& figure, Rect head, float title_end,
                       float mode_end);
    bool mode_items(const ui::Look& look, const figures::Figure& figure, Scene& next);
    void mode_name(const ui::Look& look, const figures::Figure& figure, Rect area);
    void info_button(const ui::Look& look, const figures::Figure& figure, Point centre);
    void draw_info(const ui::Look& look, const figures::Figure& figure, Rect& inside);
    void tile_menu(const ui::Look& look, const figures::Figure& figure);
    void copy_menu(const ui::Look& look, const figures::Figure& figure);
    void trace(const figures::Link& link);

    Stage stage_;
    Space space_;  // of the window; of no width in pictures and tests
    Fitted fitted_;
    Requests requests_;
    Actions actions_;
};

}  // namespace posiscope::workbench
