// curtain.hpp — A and B as one picture with a curtain between them that can be drawn aside: two heatmaps would hide one
// another. view.FIGURE.curtain is the fraction of the picture that A keeps.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::curtain {

double part_of(const Frame& f);
float edge_of(const Frame& f, Rect plot);
bool over_b(const Frame& f, Rect plot);  // the mouse is right of it
// B alone, as if it were drawn by itself; `pointer`: with the mouse.
Frame frame_of_b(Frame& f, bool pointer);
// Its handle; drawn before what can be dragged below it asks for the press.
void drag(Frame& f, Rect plot, std::string_view handle = "curtain");
// The line between both; `named`: with A and B above it.
void draw_edge(Frame& f, Rect plot, bool named);

}  // namespace posiscope::figures::curtain
