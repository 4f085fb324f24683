#include "tests/places.hpp"

#ifndef POSISCOPE_PROGRAM
#define POSISCOPE_PROGRAM ""
#endif

namespace posiscope::test {

const char* const kTree = POSISCOPE_SOURCE_DIR;
const char* const kProgram = POSISCOPE_PROGRAM;

}  // namespace posiscope::test
