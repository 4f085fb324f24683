// input.hpp — what enters the first layer: a word's embedding, the encoding of its position, and the two together.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::terms {

std::string_view input_headline(Frame& f);
void draw_input(Frame& f, Rect area);

}  // namespace posiscope::figures::terms
