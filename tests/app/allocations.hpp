// allocations.hpp — how much memory is asked for: every operator new of the program counts, on the thread it is on.
// So strings, vectors and maps of ours; not what drivers and C libraries take from malloc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace posiscope::test {

std::uint64_t allocations();  // on this thread, since it began

// While it lives, an operator new of this thread that asks for so many bytes or more throws bad_alloc.
class ScarceMemory {
public:
    explicit ScarceMemory(std::size_t refused_from);
    ~ScarceMemory();
    std::uint64_t refusals() const;
    ScarceMemory(const ScarceMemory&) = delete;
    ScarceMemory& operator=(const ScarceMemory&) = delete;
};

}  // namespace posiscope::test
