// lesson_link.hpp — a step of a known lesson in the address of a page: "#lesson=clocks/3", the step by its number. It holds
// no Scene: who opens it begins with what the step shows.
#pragma once

#include "app/workbench/teach/guide.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace posiscope::workbench {

struct LessonLink {
    std::string_view lesson;
    std::size_t step = 0;  // its number; 0: the one that was on last
};

// Nothing where an address ends in no such link.
std::optional<LessonLink> lesson_link_in(std::string_view address);
// Empty where no known lesson is on.
std::string lesson_link(const Guide& guide);

}  // namespace posiscope::workbench
