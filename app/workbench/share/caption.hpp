// caption.hpp — a Scene in one line: "Sinusoidal · Halves · d_model 512 · b = 10 000".
#pragma once

#include "app/ui/look.hpp"
#include "core/scene/scene.hpp"

namespace posiscope::workbench {

std::string_view caption(const ui::Look& look, const Scene& scene);
// The same of an experiment: "Back 3 · n = 32 · 2 layers, 4 heads · AVX3".
std::string_view experiment_caption(const ui::Look& look, const Scene& scene);

}  // namespace posiscope::workbench
