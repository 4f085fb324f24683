// workbench.hpp — owns the modules of the window and the order of a frame (frame.cpp). A module sees the Scene through the
// Session, draws its part and hands back edits; the table of actions (action_list.cpp) connects them with keys and menus. Work
// that needs the system is returned as requests (AfterFrame).
#pragma once

#include "app/panels/help_pages.hpp"
#include "app/workbench/actions.hpp"
#include "app/workbench/document/gesture.hpp"
#include "app/workbench/document/open_files.hpp"
#include "app/workbench/navigation.hpp"
#include "app/workbench/panel_host.hpp"
#include "app/workbench/tiles.hpp"
#include "app/workbench/window/remarks.hpp"

namespace posiscope::workbench {

// The size in points that `shown` needs. In a smaller window, points shrink.
Point smallest_room(const Shown& shown);

class Workbench {
public:
    // Needs the current ImGui context, now and in frame(). `layers` may be null in tests without GL. Exports call `wake`
    // from another thread.
    Workbench(
        Scene scene, Preferences preferences, canvas::Layers* layers, std::function<void()> wake = [] {});
    // Modules refer to one another.
    Workbench(const Workbench&) = delete;
    Workbench& operator=(const Workbench&) = delete;

    // One frame within ImGui::NewFrame … Render.
    AfterFrame frame(float seconds, float pixels_per_point, const Shown& shown = {});
    // Looks as another does: what is alone, folded, presented and taught.
    void copy_view_state(const Workbench& other);

    // Shows an opened file, between two frames, as an undo step.
    void show(const Opened& opened);
    // A file that the Scene names has changed: recompute in the next frame. The present frame may still have to be drawn
    // with the old numbers.
    void forget_derived() { stale_ = true; }
    // Lets figures compute slow values there; without it they compute them at once.
    void work_in(figures::Background& background);
    // The most units of work for a value that has an end only by sampling; a picture and a window take kExactWork.
    void work_at_most(double units);

    const Actions& actions() const { return actions_; }

    Preferences preferences;
    Appearance appearance;
    Session session;
    Layout layout;
    Notices notices;
    Documents documents;
    Stage stage;
    Hand hand;
    panels::Playing playing;
    Teaching teaching;
    Training training;
    Lecture lecture;
    Sizing sizing;
    Navigation navigation;
    Sharing sharing;
    Tiles tiles;
    PanelHost host;
    Notes notes;
    panels::HelpState help;

private:
    std::vector<panels::Action> action_list();  // action_list.cpp

    // frame.cpp
    void begin(float pixels_per_point);
    void offer_before(const ui::Look& look, Rect area);
    void draw_overlays(const ui::Look& look, Rect area, float seconds);
    AfterFrame end();

    Requests requests_;
    bool stale_ = false;
    float tip_wait_ = 0.0F;                         // seconds
    std::optional<Point> dropped_;                  // what was dragged, until the mouse leaves it
    bool teaches_ = false, offers_before_ = false;  // in the last frame; what was seen before the lesson
    Actions actions_;
    Gesture gesture_;
};

}  // namespace posiscope::workbench
