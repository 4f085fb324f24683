// lecture.hpp — presenting in the window: what begins and ends it, its beats, the band below the picture, and what lies over
// the picture.
#pragma once

#include "app/canvas/screen/screen.hpp"
#include "app/panels/timeline.hpp"
#include "app/workbench/document/session.hpp"
#include "app/workbench/teach/guide_window.hpp"
#include "app/workbench/window/layout.hpp"

namespace posiscope::workbench {

class Lecture {
public:
    Lecture(Session& session, Layout& layout, Teaching& teaching, panels::Playing& playing)
        : session_(session), layout_(layout), teaching_(teaching), playing_(playing) {}

    bool on() const { return presenting.on(); }
    // Without margins and tile frames: one figure is presented.
    bool on_one_figure() const { return on() && !layout_.alone().empty(); }
    // A step of a lesson, its figure alone: its line is the slide's message, and nothing else is said over the picture.
    bool on_slide() const { return on_one_figure() && teaching_.guide().lesson() != nullptr; }
    void present(bool on);
    // To the next or previous beat, or step of a lesson; false: neither is on, so an open file is to be turned.
    bool turn(int by);
    // A step of a lesson has its figure alone, until somebody asks for the bench; after a lesson the bench is back, or the
    // figure that was alone in it.
    void follow_step();
    void show_alone_before() { layout_.show_alone(alone_before_); }
    // With a Scene that was undone or redone to goes the step that it was seen in.
    void return_to(const LessonPlace& place, const Scene& now);
    // To the first step, its clock at zero and nothing drawn or said, for the next class; the step that is on likewise.
    void restart();
    void restart_step();
    // Time passes: of the lecture, and of the step that is on.
    void pass(double seconds);
    bool clock_shown() const { return on() && (clock_ || page_); }  // on the slide, or on the lecturer's page
    void toggle_clock() { clock_ = !clock_; }
    // Notes for the lecturer, beside the picture.
    bool notes_shown() const { return on() && notes_ && teaching_.guide().lesson() != nullptr; }
    void toggle_notes() { notes_ = !notes_; }
    // Notes, clock and next slide on a page of the lecturer's own (lecturer_page.hpp), in another window.
    bool page_shown() const { return on() && page_; }
    void show_page(bool shown) { page_ = shown; }
    // In the place of the notes, the steps by their numbers.
    bool map_shown() const { return on() && map_ && teaching_.guide().lesson() != nullptr; }
    void toggle_map() { map_ = !map_; }
    panels::NotesView notes(const Strings& strings) {
        return teaching_.notes(presenting, session_.shown(), strings, map_shown());
    }
    void jump_to(std::size_t step);
    // Digits are the number of a step, until jump() goes to it, or a while has passed; while a pin is asked for, they are what
    // the class says.
    bool takes_digits() const { return on() && teaching_.guide().lesson() != nullptr; }
    void jump();
    // While a question is open, headlines and tips must not answer it.
    bool holds_back() const;
    // The answer that the step asks for in that figure.
    figures::Prediction* prediction(std::string_view figure) {
        return on() || teaching_.guide().open() ? teaching_.prediction(figure, holds_back(), on()) : nullptr;
    }
    // The controls at the foot: after the lecture has begun, so that their keys are told once, and after the mouse has moved.
    bool bar_shown() const;
    void toggle_laser() { laser_stays_ = !laser_stays_; }
    bool laser_stays() const { return laser_stays_; }
    // With the laser, the lens or the pen: no tip comes between.
    bool points_at_something() const { return on() && (laser_ || lens_ || presenting.drawing.on); }
    // In this frame.
    void use_laser() { laser_ = true; }
    void use_lens() { lens_ = true; }
    bool laser() const { return laser_; }

    // The band while no lesson is presented: a headline of the frame before. The tiles of a bench have no room for theirs.
    bool headline_in_band() const {
        return on() && (teaching_.guide().lesson() == nullptr || layout_.alone().empty());
    }
    void set_headline(std::string_view headline) { next_headline_ = headline; }  // valid until end()
    const std::string& headline() const { return headline_; }
    panels::Band band(const Strings& strings);

    // Before and after a frame.
    void begin();
    void end();
    // Takes the mouse from the figures, before they are drawn; true while the pen is down.
    bool draw_by_hand(Rect room);
    void draw_over_figures(canvas::Screen& screen) const;
    // The laser and the lens, over everything.
    void draw_pointers(canvas::Screen& screen, const ui::Look& look) const;
    void copy_view_state(const Lecture& other);

    Presenting presenting;

private:
    void show_step();
    void read_digits();
    bool turn_lesson(int by);

    const lessons::Step* followed_ = nullptr;  // only compared: its lesson may be gone
    std::string alone_before_, bench_before_;  // there was a lesson
    Session& session_;
    Layout& layout_;
    Teaching& teaching_;
    panels::Playing& playing_;
    std::string headline_;
    std::string_view next_headline_;
    double still_ = 1e9;  // seconds since the mouse moved: never yet, so that pictures have no controls
    bool laser_stays_ = false;
    bool laser_ = false, lens_ = false, clock_ = false, notes_ = false, map_ = false, page_ = false;
    std::string typed_;
    double since_typed_ = 0.0;
    double on_lesson_ = 0.0, on_step_ = 0.0;  // seconds; of all lessons since it began
    int planned_before_ = 0;                  // minutes of those before the present one
    const lessons::Step* timed_ = nullptr;    // only compared
};

}  // namespace posiscope::workbench
