// lessons.hpp — the lessons that ship, and their sentences with the numbers put in.
#pragma once

#include "app/ui/scratch.hpp"
#include "core/lessons/lesson.hpp"

namespace posiscope::ui {

// In their order; read and checked the first time they are asked for.
const std::vector<lessons::Lesson>& known_lessons();
const lessons::Lesson* find_lesson(std::string_view id);  // null when unknown

// The numbers of a sentence for the present Scene and for the step's own. A value that the Scene does not have is "–".
std::string_view sentence(Scratch& scratch, const lessons::Sentence& sentence, const Scene& now,
                          const Scene& own);

}  // namespace posiscope::ui
