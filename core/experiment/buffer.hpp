// buffer.hpp — zeroed storage that starts at a multiple of 64 bytes, for numbers that vectors of any width read.
// Rows are padded to a multiple of kPad numbers, which stay 0: no kernel has a rest to treat, and no result
// depends on where the memory happens to start.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace posiscope::experiment {

inline constexpr std::size_t kPad = 16;

constexpr std::size_t padded(std::size_t count) { return (count + kPad - 1) / kPad * kPad; }

template <class Real>
class Buffer {
public:
    Buffer() = default;
    explicit Buffer(std::size_t size)
        : size_(size), numbers_(static_cast<Real*>(::operator new[](size * sizeof(Real), kAlignment))) {
        clear();
    }
    Buffer(const Buffer& other) : Buffer(other.size_) { std::copy_n(other.data(), size_, data()); }
    Buffer(Buffer&& other) noexcept
        : size_(std::exchange(other.size_, 0)), numbers_(std::move(other.numbers_)) {}
    Buffer& operator=(const Buffer& other) {
        *this = Buffer(other);
        return *this;
    }
    Buffer& operator=(Buffer&& other) noexcept {
        size_ = std::exchange(other.size_, 0);
        numbers_ = std::move(other.numbers_);
        return *this;
    }
    ~Buffer() = default;

    void clear() { std::fill_n(data(), size_, Real(0)); }
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    Real* data() { return numbers_.get(); }
    const Real* data() const { return numbers_.get(); }
    Real& operator[](std::size_t at) { return numbers_.get()[at]; }
    Real operator[](std::size_t at) const { return numbers_.get()[at]; }
    std::span<Real> span() { return {data(), size_}; }
    std::span<const Real> span() const { return {data(), size_}; }

private:
    static constexpr std::align_val_t kAlignment{64};
    struct Free {
        void operator()(Real* numbers) const { ::operator delete[](numbers, kAlignment); }
    };

    std::size_t size_ = 0;
    std::unique_ptr<Real[], Free> numbers_;
};

}  // namespace posiscope::experiment
