// spectrum.hpp — further parts of the Spectrum figure: known models overlaid, layers, axes of pairs.
#pragma once

#include "app/figures/parts/pair_plot.hpp"

namespace posiscope::figures::spectrum {

void draw_models(Frame& frame, Rect area, const TrainingCurves& curves);
std::string_view models_headline(Frame& frame);

// How many wavelengths lie in each half of a decade.
void draw_density(Frame& frame, Rect area, const TrainingCurves& curves);
std::string_view density_headline(Frame& frame, const TrainingCurves& curves);

// One cell per layer, or per layer type if the settings do not number layers; a click selects that layer.
void draw_layers(Frame& frame, const RopeLayers& layers, Rect plot, Rect strip);

// A band in the plot with the position axis of each pair, if there are several.
void draw_axes(Frame& frame, Rect plot, const canvas::Axis& x);

}  // namespace posiscope::figures::spectrum
