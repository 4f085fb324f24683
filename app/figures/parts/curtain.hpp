// curtain.hpp — A and B as one picture with a curtain between them that can be drawn aside: two heatmaps would hide one
// another. view.FIGURE.curtain is the fraction of the picture that A keeps.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::curtain {

// The curtain's place. With `columns` of cells that have room for their numbers it hangs between two, and cuts none.
float edge_of(const Frame& f, Rect plot, std::size_t columns = 0);
bool over_b(const Frame& f, Rect plot, std::size_t columns = 0);  // the mouse is right of it
// B alone, as if it were drawn by itself; `pointer`: with the mouse.
Frame frame_of_b(Frame& f, bool pointer);
// Its handle; drawn before what can be dragged below it asks for the press.
void drag(Frame& f, Rect plot, std::string_view handle = "curtain", std::size_t columns = 0);
// The line between both; `named`: with A and B above it.
void draw_edge(Frame& f, Rect plot, bool named, std::size_t columns = 0);

}  // namespace posiscope::figures::curtain
