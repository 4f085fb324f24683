// waves.hpp — fourier.cpp has the series of the square wave, a mode of the Waves figure.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures::waves {

std::string_view fourier_headline(Frame& f);
void draw_fourier(Frame& f, Rect area);

}  // namespace posiscope::figures::waves
