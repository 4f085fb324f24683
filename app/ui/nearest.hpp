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

// Chinese words by the first letters of their pinyin, as people type them: "xz" is 旋转. The table has the characters
// of this program's own texts; one that it lacks matches no letter.
namespace posiscope::ui {

// True if these letters are the initials of characters side by side in the text; its Latin letters and digits stand for
// themselves, and signs between words are skipped. Case does not matter.
bool has_initials(std::string_view text, std::string_view typed);

}  // namespace posiscope::ui
