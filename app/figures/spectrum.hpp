// spectrum.hpp — the Spectrum figure's second half: the spectra of known models over one another.
#pragma once

#include "app/figures/pair_plot.hpp"

namespace posiscope::figures::spectrum {

void draw_models(Frame& frame, Rect area, const TrainingCurves& curves);
std::string_view models_headline(Frame& frame);

}  // namespace posiscope::figures::spectrum
