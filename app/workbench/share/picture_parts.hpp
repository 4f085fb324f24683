// picture_parts.hpp — what pictures of pixels and of paths share.
#pragma once

#include "app/workbench/share/picture.hpp"
#include "app/workbench/workbench.hpp"

namespace posiscope::workbench {

// How much smaller a point gets where there is too little room: everything shrinks together, nothing overlaps.
double shrunk(const Shown& shown, double width, double height);

// The results that the picture shows, on the bench that draws it.
void show_results(Workbench& bench, const PictureOptions& options);

}  // namespace posiscope::workbench
