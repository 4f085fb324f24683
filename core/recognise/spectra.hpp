// spectra.hpp — the spectra that a dump with so many pairs is compared with.
#pragma once

#include "core/recognise/rates.hpp"
#include "core/recognise/recognise.hpp"

namespace posiscope::recognition {

// The config's, usual bases, the models', and what the dump's own rates fit. Equal ones are one, with all their names.
std::vector<Known> spectra(std::int64_t pairs, std::span<const Known> config, std::span<const Known> models,
                           const std::optional<Geometric>& fit);

// Bases that models use, the most usual first; three of them are by far.
std::span<const double> usual_bases();
inline constexpr std::size_t kMostUsual = 3;

// Those with a base near a fitted one that somebody may have typed, the roundest first.
std::vector<Known> typed_spectra(std::int64_t pairs, const Geometric& fit);

// A slip's constant that the fitted divisor is near, or 1 where it is near that; nothing for a scaling of its own.
std::optional<double> usual_divisor(double divisor);

}  // namespace posiscope::recognition
