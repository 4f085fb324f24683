// allocations.hpp — counts every operator new of the program, per thread: our strings, vectors and maps, but not the
// malloc calls of drivers and C libraries.
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
