// PDF and SVG are written by the second module (vector/main.cpp): the page itself links no library for them.
#include "app/workbench/share/picture.hpp"

#include <stdexcept>

namespace posiscope::workbench {

std::string vector_picture(const Scene&, const Preferences&, const PictureOptions&, exporting::VectorFormat) {
    throw std::logic_error("the second module writes vector files");
}

}  // namespace posiscope::workbench
