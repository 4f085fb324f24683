// places.hpp — where the tree and the built program lie. One source knows the paths, so that the others compile to the same
// bytes in every clone, and a compiler's cache serves them all.
#pragma once

namespace posiscope::test {

extern const char* const kTree;     // the root of the sources
extern const char* const kProgram;  // "" where there is none

}  // namespace posiscope::test
