// known_spectra.hpp — the spectra of known models, with which dumped tables are compared.
#pragma once

#include "core/measure/reference.hpp"

namespace posiscope::ui {

std::vector<measuring::Reference> known_spectra();

}  // namespace posiscope::ui
