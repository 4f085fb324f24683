// nearest.hpp — the valid word that a mistyped one was likely meant to be.
#pragma once

#include "core/problem.hpp"

#include <span>
#include <string>
#include <string_view>

namespace posiscope {

// The name with the fewest letters different from `typed`; "" where even that one shares less than half of them.
std::string nearest(std::string_view typed, std::span<const std::string_view> names);

// An unknown key or choice of a Scene, with the nearest of those that its sentence lists; any other Problem as it is.
Problem with_nearest(const Problem& problem);

}  // namespace posiscope
