// sampling.hpp — the frequencies and positions at which the mathematics is tested.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace posiscope {

// ω_i = base^(−i·multiple/n), in cycles or radians: what geometric_spectrum takes.
struct Stepped {
    double base;
    std::int64_t pairs;
    std::int64_t n;
    unsigned multiple = 1;
    bool cycles = false;
};

inline std::vector<Stepped> cases() {
    std::vector<Stepped> all;
    for (const double base : {1e4, 5e5, 1e8, 10000.5, 1.5, 1e18})
        for (const std::int64_t d : {2, 4, 6, 64, 510, 512, 1000, 4096, 65534, 65536}) {
            all.push_back({base, d / 2, d / 2});
            if (d >= 4) all.push_back({base, d / 2, d / 2 - 1});  // tensor2tensor, fairseq
            all.push_back({base, d / 2, d / 2, 1, true});         // two_pi
            all.push_back({base, d / 2, d / 2, 2});               // double_exponent
        }
    return all;
}

// The ends, the middle, and some that share no factor with a power of two.
inline std::vector<std::int64_t> sampled_pairs(std::int64_t pairs) {
    std::vector<std::int64_t> all;
    for (const std::int64_t pair :
         {std::int64_t{0}, std::int64_t{1}, pairs / 7, pairs / 3, pairs / 2, pairs - 2, pairs - 1})
        if (pair >= 0 && pair < pairs) all.push_back(pair);
    return all;
}

inline constexpr std::array<std::int64_t, 8> kPositions = {0,       1,          13,         4095,
                                                           1000003, 1073741824, 2147483646, 2147483647};

}  // namespace posiscope
