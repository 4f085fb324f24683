// plane.hpp — what both complex planes draw alike: plane.cpp has the table's, product.cpp RoPE's.
#pragma once

#include "app/figures/rotations/rotations.hpp"

namespace posiscope::figures::rotations {

// "0.768 − 0.640 i", as a formula.
std::string_view complex_number(ui::Scratch& scratch, double re, double im);

struct Dial {
    Point centre;
    float radius = 0.0F;
    double sense = 1.0;  // +1: e^{iφ} counter-clockwise; −1: e^{−iφ}

    Point at(double turns) const { return on_circle(centre, radius, sense * turns); }
};
void draw_axes(Frame& f, const Dial& dial, std::string_view name);

void draw_product(View& v, Rect area);
std::string_view product_headline(View& v);

}  // namespace posiscope::figures::rotations
