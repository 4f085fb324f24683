#include "tests/app/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t counted = 0;
thread_local std::size_t refused_from = SIZE_MAX;
thread_local std::uint64_t refused = 0;

void* taken(std::size_t size, std::size_t alignment = 0) {
    ++counted;
    if (size >= refused_from) {
        ++refused;
        throw std::bad_alloc();
    }
    if (size == 0) size = 1;
    void* const memory = alignment == 0
                             ? std::malloc(size)
                             : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

// The forms for arrays come down to these, and those that do not throw must match them.
void* operator new(std::size_t size) { return taken(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return taken(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++counted;
    if (size >= refused_from) return nullptr;
    return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace posiscope::test {

std::uint64_t allocations() { return counted; }

ScarceMemory::ScarceMemory(std::size_t from) {
    refused_from = from;
    refused = 0;
}
ScarceMemory::~ScarceMemory() { refused_from = SIZE_MAX; }
std::uint64_t ScarceMemory::refusals() const { return refused; }

}  // namespace posiscope::test
