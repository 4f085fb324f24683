// presenting.hpp — a lecture from the window: the beat of the step that is on, the blank screen, and what was drawn over the
// picture. None of it is part of the Scene, and none of it is a learner's progress.
#pragma once

#include "app/ui/geometry.hpp"
#include "app/workbench/teach/guide.hpp"

#include <map>
#include <vector>

namespace posiscope::workbench {

// A step in parts, as a lecturer says them.
enum class Beat { line, question, reveal };

// Freehand lines over the picture, in parts of the window's width and height, so that they stay when its size changes.
struct Drawing {
    bool on = false;  // the mouse draws, and drags nothing
    std::vector<std::vector<Point>> strokes;

    void add(Point at, bool begins);
    bool empty() const { return strokes.empty(); }
};

class Presenting {
public:
    bool on() const { return on_; }
    // Begins at the step that is on, if a lesson is: the Scene to show. `alone` is the figure to return to at the end.
    std::optional<Scene> begin(Guide& guide, std::string_view alone);
    // The figure that was alone before.
    std::string_view end(Guide& guide);

    bool blank() const { return blank_; }
    void toggle_blank() { blank_ = !blank_; }

    Beat beat() const { return beat_; }
    // Forward or back by one beat; a Scene where another is to be seen. Of a blank screen, it shows the picture again.
    std::optional<Scene> turn(Guide& guide, int by);
    // To the first beat of a step; nothing where there is none.
    std::optional<Scene> jump(Guide& guide, std::size_t index);
    bool can_turn(const Guide& guide, int by) const;
    // To the first beat of that lesson, or its last.
    std::optional<Scene> enter(Guide& guide, const lessons::Lesson& lesson, bool at_end);
    // To the first step and its first beat, for the next class.
    std::optional<Scene> restart(Guide& guide);
    // To the first beat of the step that is on, with nothing drawn over it.
    std::optional<Scene> begin_step(Guide& guide);
    // The guide has gone back to where `now` was seen, from the step `from`.
    void return_to(Guide& guide, std::size_t from, const Scene& now);
    bool entered() const { return entered_; }  // the last turn led to another step

    Drawing drawing;  // over the step that is on; each step keeps its own

private:
    void turn_page(std::size_t from, std::size_t to);

    std::optional<Scene> show(Guide& guide, std::size_t index, Beat beat);

    bool on_ = false, blank_ = false, entered_ = false;
    Beat beat_ = Beat::line;
    std::string alone_before_;
    std::map<std::size_t, std::vector<std::vector<Point>>> pages_;  // what was drawn over other steps
};

// True if a step has this beat: no line where the line repeats the question.
bool has_beat(const Guide& guide, std::size_t index, Beat beat);

}  // namespace posiscope::workbench
