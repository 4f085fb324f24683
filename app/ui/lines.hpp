// lines.hpp — where words break into lines, Chinese ones too.
#pragma once

#include "app/ui/formula.hpp"

namespace posiscope::ui {

// The end of the first line of `text` that is no wider than `width`: at a space, or between Chinese characters. A mark
// of punctuation never begins a line. A word that is wider, a path for example, breaks where it must.
std::size_t line_end(const Measure& measure, std::string_view text, Face face, float size, float width);

}  // namespace posiscope::ui
