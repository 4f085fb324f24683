// window_image.hpp — the present content of the window as an image file.
#pragma once

#include "app/workbench/share/picture.hpp"
#include "app/workbench/workbench.hpp"

namespace posiscope::workbench {

// In its present size: a figure's tile; all tiles for a vector file; else the window with its controls.
PictureOptions as_seen(const Workbench& bench, std::string_view figure, bool vector);

// The bytes of a ".png" (which carries the Scene), ".pdf" or ".svg".
Result<std::string> picture_bytes(const Workbench& bench, const PictureOptions& options,
                                  std::string_view ending);

}  // namespace posiscope::workbench
