// scaled.hpp — scaled spectra that a dump may have when no config is given: YaRN's and Llama 3's, with settings that models
// use. Linear scaling is a base and a divisor, NTK another base: spectra.hpp has those.
#pragma once

#include "core/recognise/recognise.hpp"

namespace posiscope::recognition {

// The spectrum as a dump shows it: the rate of each pair, NaN where it tells nothing. Those below `least` are too slow for
// its rows. `amplitude` of its cosines and sines; 0: not known.
struct Seen {
    std::span<const double> rates;
    double least = 0.0;
    double amplitude = 0.0;
    bool waves = true;  // false: the rates themselves, which no attention factor multiplies
};

// The candidates whose rates are within 3 % of every rate that was seen; none where unscaled rates are as near.
std::vector<Known> scaled_spectra(const Seen& seen);

}  // namespace posiscope::recognition
