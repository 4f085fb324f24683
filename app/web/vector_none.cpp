// A page offers neither PDF nor SVG, and links no library for them.
#include "app/workbench/picture.hpp"

#include <stdexcept>

namespace posiscope::workbench {

std::string vector_picture(const Scene&, const Preferences&, const PictureOptions&, exporting::VectorFormat) {
    throw std::logic_error("a page writes no vector files");
}

}  // namespace posiscope::workbench
