// picture.hpp — the bench or one figure as an image, drawn without a window, by the same code as in one.
#pragma once

#include "app/gl/image.hpp"
#include "app/workbench/preferences.hpp"
#include "core/scene.hpp"

#include <string_view>

namespace posiscope::workbench {

inline constexpr int kLargestPicture = 16384;  // pixels, on either side

struct PictureOptions {
    int width = 1280, height = 800;  // points
    double scale = 1.0;              // pixels a point
    bool controls = false;           // the rail, the bar and the timeline too
    std::string_view figure;         // alone; empty: the whole bench
};

// A GL context must be current; ImGui's context is left as it was. Refused when the driver cannot draw that large.
Result<gl::Image> picture(const Scene& scene, const Preferences& preferences, const PictureOptions& options);

}  // namespace posiscope::workbench
