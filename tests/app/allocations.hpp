// allocations.hpp — how much memory is asked for: every operator new of the program counts, on the thread it is on.
// So strings, vectors and maps of ours; not what drivers and C libraries take from malloc.
#pragma once

#include <cstdint>

namespace posiscope::test {

std::uint64_t allocations();  // on this thread, since it began

}  // namespace posiscope::test
