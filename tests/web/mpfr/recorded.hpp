// recorded.hpp — what MPFR said of sines, cosines, powers and π, in a file: a native run writes it (POSISCOPE_REALS names
// it), and core's tests under node read it there, where there is no MPFR.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <type_traits>
#include <unordered_set>

namespace posiscope::recorded {

// ±0.m × 2^exponent, m of 384 bits with its first bit set, the least of them first; 0 has no bits at all.
struct Number {
    std::int32_t sign = 0;
    std::int32_t exponent = 0;
    std::array<std::uint32_t, 12> limbs{};

    bool operator==(const Number&) const = default;
};

struct Entry {
    std::uint64_t key = 0;
    Number number;
};
static_assert(std::is_trivially_copyable_v<Entry> && sizeof(Entry) == 64);

// Of a function's name and what it was asked of: FNV-1a, 64 bits.
template <class... Of>
std::uint64_t key_of(char function, const Of&... of) {
    std::uint64_t key = 14695981039346656037ULL;
    const auto take = [&](const char* bytes, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            key = (key ^ static_cast<unsigned char>(bytes[i])) * 1099511628211ULL;
    };
    take(&function, 1);
    (take(reinterpret_cast<const char*>(&of), sizeof(Number)), ...);
    return key;
}

inline const char* path() {
    static const char* const named = std::getenv("POSISCOPE_REALS");
    return named;
}

inline void write(const Entry& entry) {
    static std::ofstream file(path(), std::ios::binary | std::ios::trunc);
    static std::unordered_set<std::uint64_t> written;
    if (!written.insert(entry.key).second) return;
    file.write(reinterpret_cast<const char*>(&entry), sizeof entry);
}

}  // namespace posiscope::recorded
