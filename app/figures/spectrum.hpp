// spectrum.hpp — the Spectrum figure's other parts: the spectra of known models over one another, and the axes of pairs.
#pragma once

#include "app/figures/pair_plot.hpp"

namespace posiscope::figures::spectrum {

void draw_models(Frame& frame, Rect area, const TrainingCurves& curves);
std::string_view models_headline(Frame& frame);

// A band in the plot that tells which position each pair turns with, where there is more than one.
void draw_axes(Frame& frame, Rect plot, const canvas::Axis& x);

}  // namespace posiscope::figures::spectrum
