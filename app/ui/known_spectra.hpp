// known_spectra.hpp — the spectra of known models, with which dumped tables are compared.
#pragma once

#include "core/recognise/recognise.hpp"

namespace posiscope::ui {

std::vector<Known> known_spectra();

}  // namespace posiscope::ui
