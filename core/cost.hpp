// cost.hpp — work that would keep people waiting is refused before it begins.
#pragma once

#include "core/problem.hpp"

#include <optional>

namespace posiscope {

// A Problem where `steps` are more than `most`: each is about a sine's worth of work, so 5e7 take some tenths of a second.
inline constexpr double kMostSteps = 5e7;
std::optional<Problem> too_costly(std::string_view what, double steps, double most = kMostSteps);

}  // namespace posiscope
