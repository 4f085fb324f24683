// lessons.hpp — the lessons that ship, and their sentences with the numbers put in.
#pragma once

#include "core/lessons/lesson.hpp"

namespace posiscope::ui {

// In their order; read and checked the first time they are asked for.
const std::vector<lessons::Lesson>& known_lessons();
const lessons::Lesson* find_lesson(std::string_view id);  // null when unknown

// A sentence, however long, with its numbers for the present Scene and for the step's own. A value that the Scene does not
// have is "–".
std::string sentence(const lessons::Sentence& sentence, const Scene& now, const Scene& own);

}  // namespace posiscope::ui
