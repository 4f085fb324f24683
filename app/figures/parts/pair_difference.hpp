// pair_difference.hpp — B − A of a comparison, pair by pair: wavelengths as a ratio, turns as angles that part.
#pragma once

#include "app/figures/parts/pair_plot.hpp"
#include "core/scaling/trained.hpp"

namespace posiscope::figures::pair_difference {

enum class Of { wavelengths, turns };

// Draws B − A if B's pairs can be set against A's; else says why not.
void draw(Frame& frame, Rect area, Of of);
std::string_view headline(Frame& frame, Of of);
// By how much the angles of so many pairs differ at a length.
std::string_view angles_headline(Frame& frame, const Deviation& made, std::size_t pairs, std::int64_t length);

}  // namespace posiscope::figures::pair_difference
