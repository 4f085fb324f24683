// memory.cpp — memory that the program asks for with new, which fails once. ImGui and the driver use other ways.
#include "tests/faults/turn.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

void* given(std::size_t size, std::size_t alignment, const void* returns_to) {
    void* memory = nullptr;
    if (!posiscope::faults::fails(posiscope::faults::Kind::memory, "new", returns_to))
        memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(size > 0 ? size : 1)
                     : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

// All the other forms come down to these.
void* operator new(std::size_t size) { return given(size, 0, __builtin_return_address(0)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return given(size, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
