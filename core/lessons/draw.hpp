// draw.hpp — steps whose numbers are drawn, so that a question or a task can be asked again with others.
//   "draw": [{"d": [64, 128, 512]}, {"k": {"from": 2, "to": 9}}, {"twice": "2 k"}, {"turn": {"value": "pair.wavelength"}}]
// One number after another: of a list, a whole number of a range, a formula of those before it (core/formula), or a value of the
// step's Scene: with the answer of its question, or with another partial Scene over it ({"value": …, "scene": …}). In the rest of
// the step "$k" stands for the number where a Scene or a condition has one, {$k} in a text ({$k:4} with four digits). The choices
// of a question come in an order that is drawn, too. Seed 0 takes the first of each list and range, and the order as written.
// Bounds   kMostDrawn numbers a step; values that are marked slow are refused.
#pragma once

#include "core/lessons/lesson.hpp"

namespace posiscope::lessons {

inline constexpr std::size_t kMostDrawn = 16;

// The step as it is written, with the numbers of that seed in their places and without "draw": the same for the same seed.
// `units` of work are left for its values.
Result<Json> with_numbers(const Lesson& lesson, const Json& written, const std::string& path,
                          std::uint64_t seed, double& units);

}  // namespace posiscope::lessons
