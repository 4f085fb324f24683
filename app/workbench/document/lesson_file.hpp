// lesson_file.hpp — a lecturer's own lesson as a file: read, and given one more step.
#pragma once

#include "app/panels/guide.hpp"
#include "app/ui/strings.hpp"
#include "core/lessons/lesson.hpp"

#include <memory>

namespace posiscope::workbench {

// Between a file and its step in the place of a mistake.
inline constexpr std::string_view kStepOfFile = " › ";

bool looks_like_lesson(const Json& json);

// The lesson in a file's text. A mistake names the file and the step.
Result<std::shared_ptr<const lessons::Lesson>> read_lesson(const std::string& path, std::string_view text);

// The text of a lesson file with the present Scene as its last step; of an empty text, that of a new lesson. What the file
// has keeps its order. `words` begin the step's text in that language, for the lecturer to change.
struct NewStep {
    const Scene& scene;
    std::string_view figure;  // alone; empty: the bench
    std::string_view words;
    Language language;
};
Result<std::string> with_step(std::string_view text, const NewStep& step);

// The place that a step has in a file's text now, of which `read` is the text as it was read. A step is known by its id, one
// without by all of it. Refused where somebody has changed the step since, or taken it out: lesson.changed, lesson.gone.
Result<std::size_t> same_step(std::string_view text, std::string_view read, std::size_t step);

// The text of a lesson file with that step after the next one, or before the one before it; without it; and with a copy after
// it. Refused where it would be no lesson: lesson.no_step, lesson.last_step.
Result<std::string> with_step_moved(std::string_view text, std::size_t step, int by);
Result<std::string> without_step(std::string_view text, std::size_t step);
Result<std::string> with_step_twice(std::string_view text, std::size_t step);

// The text of a lesson file in which the task of that step is to come to the present Scene: what differs from the step's own is
// its solution, and the condition. A task that the step has keeps its words. Refused where nothing differs.
Result<std::string> with_task(std::string_view text, std::size_t step, const Scene& done, Language language,
                              std::string_view goal);

// The text, question and choices of that step in one language, to be edited; and the text of the file that has them so. Every
// other key and language stays. An empty question takes the step's question away.
Result<panels::StepEdit> step_text(std::string_view text, std::size_t step, Language language);
Result<std::string> with_text(std::string_view text, std::size_t step, const panels::StepEdit& words,
                              Language language);

}  // namespace posiscope::workbench
