// pair_difference.hpp — B − A of a comparison, pair by pair: wavelengths as a ratio, turns as angles that part.
#pragma once

#include "app/figures/parts/pair_plot.hpp"

namespace posiscope::figures::pair_difference {

enum class Of { wavelengths, turns };

// Where B is a Scene whose pairs can be set against A's; else says why not.
void draw(Frame& frame, Rect area, Of of);
std::string_view headline(Frame& frame, Of of);

}  // namespace posiscope::figures::pair_difference
