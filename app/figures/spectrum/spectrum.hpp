// spectrum.hpp — the Spectrum figure's other parts: known models over one another, layers, axes of pairs.
#pragma once

#include "app/figures/parts/pair_plot.hpp"

namespace posiscope::figures::spectrum {

void draw_models(Frame& frame, Rect area, const TrainingCurves& curves);
std::string_view models_headline(Frame& frame);

// One cell a layer, or one a layer type where the settings do not number them; a click shows that layer.
void draw_layers(Frame& frame, const RopeLayers& layers, Rect plot, Rect strip);

// A band in the plot that tells which position each pair turns with, where there is more than one.
void draw_axes(Frame& frame, Rect plot, const canvas::Axis& x);

}  // namespace posiscope::figures::spectrum
