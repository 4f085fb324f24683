// tiles.hpp — which figures a bench shows: a picture rather than a sentence, where one has nothing for the encoding.
#pragma once

#include "app/figures/figure.hpp"
#include "app/workbench/window/layout.hpp"

namespace posiscope::workbench {

// Puts what stands in for them (figures::Figure) in the places of figures that have nothing for the Scene's encoding.
void stand_in(Layout& layout, const SpectrumInput& scene);

// What moves in what is shown: the bench, or the figure that is alone.
figures::Moves moves_in(const Bench& bench, std::string_view alone, const SpectrumInput& scene);

}  // namespace posiscope::workbench
