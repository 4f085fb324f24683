// random.hpp — the project's own random numbers, the same on every platform.
// SplitMix64 (Steele, Lea, Flood 2014): a counter whose every value is scattered over all 64 bits.
#pragma once

#include <cstdint>

namespace posiscope {

// The finaliser: a bijection that scatters neighbouring inputs.
std::uint64_t scattered(std::uint64_t x);

// A stream of numbers; streams of one seed are independent of each other.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t stream) : state_(scattered(scattered(seed) ^ stream)) {}

    std::uint64_t bits();
    double uniform();                        // [0, 1)
    std::int64_t below(std::int64_t count);  // 0 … count − 1, count < 2^31; uneven by less than count · 2^-32
    double normal();                         // mean 0, variance 1; two uniforms each (Box and Muller)

private:
    std::uint64_t state_;
};

}  // namespace posiscope
