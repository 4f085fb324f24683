// lessons.hpp — the lessons that ship, and their sentences with the numbers put in.
#pragma once

#include "core/lessons/lesson.hpp"

namespace posiscope::ui {

// In their order; read and checked the first time they are asked for.
const std::vector<lessons::Lesson>& known_lessons();
const lessons::Lesson* find_lesson(std::string_view id);  // null when unknown

// The numbers of a sentence; null: they are being computed.
struct KnownNumbers {
    const lessons::Numbers* now = nullptr;  // of the present Scene
    const lessons::Numbers* own = nullptr;  // of the step's
};

// A sentence, however long, with its numbers: "…" for one that is being computed, "–" for one that the Scene does not have
// or that takes too long.
std::string sentence(const lessons::Sentence& sentence, const KnownNumbers& known);
// The same with both Scenes, at once.
std::string sentence(const lessons::Sentence& sentence, const Scene& now, const Scene& own);

}  // namespace posiscope::ui
