// initials.hpp — Chinese words by the first letters of their pinyin, as people type them: "xz" is 旋转. The table has the
// characters of this program's own texts; one that it lacks matches no letter.
#pragma once

#include <string_view>

namespace posiscope::ui {

// True if these letters are the initials of characters side by side in the text; its Latin letters and digits stand for
// themselves, and signs between words are skipped. Case does not matter.
bool has_initials(std::string_view text, std::string_view typed);

}  // namespace posiscope::ui
