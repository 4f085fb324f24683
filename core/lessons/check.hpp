// check.hpp — what a lesson says that is not so, found by doing it: numbers, answers, tasks and slips.
// Cost     the numbers of each text and each condition take at most kTextWork.
#pragma once

#include "core/lessons/lesson.hpp"

#include <vector>

namespace posiscope::lessons {

// In the order of the steps, each with the step in its values; none: every number resolves, the right choice is right in the
// Scene that reveals it and every other has its reason, every task is open at the start, done by its solution with the
// controls of its step, and every slip slips.
std::vector<Problem> findings(const Lesson& lesson);

}  // namespace posiscope::lessons
