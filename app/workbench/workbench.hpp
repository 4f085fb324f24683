// workbench.hpp — owns the modules of the window and the order of a frame (frame.cpp). A module sees the Scene through the
// Session, draws its part and hands back edits; the table of actions (action_list.cpp) connects them with keys and menus. Work
// that needs the system is returned as requests (AfterFrame).
#pragma once

#include "app/panels/help_pages.hpp"
#include "app/workbench/actions.hpp"
#include "app/workbench/document/history.hpp"
#include "app/workbench/document/open_files.hpp"
#include "app/workbench/document/session.hpp"
#include "app/workbench/panel_host.hpp"
#include "app/workbench/sizing.hpp"
#include "app/workbench/tiles.hpp"
#include "app/workbench/window/layout.hpp"
#include "app/workbench/window/mouse.hpp"
#include "app/workbench/window/remarks.hpp"

namespace posiscope::workbench {

// From one position, view and bench to another.
class Navigation {
public:
    Navigation(Session& session, Layout& layout, const Hand& hand, const Sizing& sizing)
        : session_(session), layout_(layout), hand_(hand), sizing_(sizing) {}

    void move_by(std::int64_t positions, std::int64_t offset, std::int64_t pair);
    void turn_width();  // d_model 512, and from there 16; the pair with the nearest frequency stays chosen
    // A bench that shows little without a model or a row of tokens brings an example, as long as only what the program
    // begins with is seen; the next bench has that again, unless somebody changed the example.
    void turn_to(std::string_view bench);
    void turn_to_bench(std::size_t forward);  // so many further
    void turn_mode();
    void show_figure(std::size_t index);  // of the bench, alone; or the bench again
    std::string pointed_at() const;       // the figure that is alone or hovered; empty: the bench

private:
    struct Lent {
        Scene before, shown;
    };
    std::optional<Lent> lent_;  // an example that a bench brought, and what was seen before
    Session& session_;
    Layout& layout_;
    const Hand& hand_;
    const Sizing& sizing_;
};

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

    // At once, or after the frame what needs the system.
    void carry_out(panels::Command command);
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

    // dispatch.cpp
    void set(std::string_view key, const std::string& value);
    void show_figure(std::string_view figure, const std::string& mode);
    void show_model(std::string_view name);
    void show_section(const Section& section);

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
