// lesson_place.hpp — the step of a lesson in which a Scene is seen, kept with it in the history.
#pragma once

#include "core/lessons/lesson.hpp"

#include <memory>
#include <string>

namespace posiscope::workbench {

// A lesson that is not among the known ones, and its file as it was read; a deck has no file.
struct LessonFile {
    std::string path, text;
    std::shared_ptr<const lessons::Lesson> lesson;
};

struct LessonPlace {
    const lessons::Lesson* lesson = nullptr;  // null: none is on
    std::size_t step = 0;
    std::shared_ptr<const LessonFile> file = {};  // of that lesson, unless it is a known one
    bool open = false;                            // the pane, which is no part of the place

    // A file that was read again has another lesson at the same place.
    bool operator==(const LessonPlace& other) const {
        const bool same_file = file && other.file && !file->path.empty() && file->path == other.file->path;
        return step == other.step && (lesson == other.lesson || same_file);
    }
};

}  // namespace posiscope::workbench
