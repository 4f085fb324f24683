// png.hpp — a picture as the bytes of a PNG file: 8-bit RGBA, marked as sRGB, with its resolution.
#pragma once

#include "app/gl/image.hpp"

#include <string>

namespace posiscope::exporting {

// `pixels_per_point` gives the resolution: a point is 1/96 inch. The same picture gives the same bytes.
std::string png(const gl::Image& image, double pixels_per_point);

}  // namespace posiscope::exporting
