// lesson.hpp — `render --lesson`: a lesson as a handout or as numbered images of its steps.
#pragma once

#include "app/commands/options.hpp"
#include "app/workbench/teach/handout.hpp"

namespace posiscope::commands {

struct LessonOrder {
    std::string lesson;  // its id, its number, a deck's id, or a file
    std::string output;  // handout.pdf, step-%02d.png
    workbench::Preferences preferences = {};
    workbench::PictureOptions picture;  // of an image, and of a page if `sized`
    double dpi = 96.0;
    bool sized = false;
};

// Refuses an unknown lesson, naming the nearest; a file that is none, naming the step; and any other ending.
Result<void> write_lesson(const LessonOrder& order);

}  // namespace posiscope::commands
