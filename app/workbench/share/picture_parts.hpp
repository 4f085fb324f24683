// picture_parts.hpp — what pictures of pixels and of paths share.
#pragma once

#include "app/workbench/share/picture.hpp"
#include "app/workbench/workbench.hpp"

namespace posiscope::workbench {

// How much smaller a point gets where there is too little room: everything shrinks together, nothing overlaps.
// Without title and headline, a bare figure needs less room.
double shrunk(const Shown& shown, const PictureOptions& options);

// The Scene as it is drawn: what a bare picture leaves out is no part of the one that is kept.
Scene drawn(const Scene& scene, const PictureOptions& options);

// The results that the picture shows, on the bench that draws it.
void show_results(Workbench& bench, const PictureOptions& options);

}  // namespace posiscope::workbench
