// icon.hpp — the program's icon: a clock as the window draws it, the hands of p and p + k on a dark tile.
#pragma once

#include "app/ui/image.hpp"

#include <string>

namespace posiscope::exporting {

std::string icon_svg();
Image icon(int pixels);  // square; colours not premultiplied

}  // namespace posiscope::exporting
