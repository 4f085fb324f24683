// stand_in.hpp — what a bench shows where a figure has nothing for the Scene's encoding: a picture rather than a sentence.
#pragma once

#include "app/workbench/window/layout.hpp"
#include "core/scene/scene.hpp"

namespace posiscope::workbench {

// Whether a figure has anything to draw for the Scene's encoding.
bool has_picture(std::string_view figure, const SpectrumInput& scene);

// Puts figures that every encoding has in the places of those that have nothing.
void stand_in(Layout& layout, const SpectrumInput& scene);

// Whether the position and the offset move anything in what is shown: the bench, or the figure that is alone.
struct Moves {
    bool position = true, offset = true;
};
Moves moves_in(const Bench& bench, std::string_view alone, const SpectrumInput& scene);

}  // namespace posiscope::workbench
