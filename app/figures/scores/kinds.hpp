// kinds.hpp — the kinds of encodings as a tree, absolute and relative, with a row of computed facts for each.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::scores {

std::string_view kinds_headline(Frame& f);
void draw_kinds(Frame& f, Rect area);

}  // namespace posiscope::figures::scores
