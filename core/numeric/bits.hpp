// bits.hpp — the bits of a value as another type of the same size: std::bit_cast, which libc++ has had only since 14.
#pragma once

#include <type_traits>

namespace posiscope {

template <class To, class From>
constexpr To bits_as(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From));
    static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
    return __builtin_bit_cast(To, from);
}

}  // namespace posiscope
