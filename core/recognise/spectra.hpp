// spectra.hpp — the spectra that a dump with so many pairs is compared with.
#pragma once

#include "core/recognise/rates.hpp"
#include "core/recognise/recognise.hpp"

namespace posiscope::recognition {

// The config's, usual bases, the models', and what the dump's own rates fit. Equal ones are one, with all their names.
std::vector<Known> spectra(std::int64_t pairs, std::span<const Known> config, std::span<const Known> models,
                           const std::optional<Geometric>& fit);

}  // namespace posiscope::recognition
