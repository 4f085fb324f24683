// legend.hpp — the names of curves over a plot, each behind a stroke as its curve has it.
#pragma once

#include "app/figures/figure.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace posiscope::figures {

struct Named {
    std::string_view name;
    std::optional<canvas::Stroke> stroke;  // none: nothing is drawn of it
};

// In as many rows as they need, while the plot keeps room for a few; the rows are cut from the area's top.
void name_curves(Frame& f, Rect& area, std::span<const Named> curves);

}  // namespace posiscope::figures
