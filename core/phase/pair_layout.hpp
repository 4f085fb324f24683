// pair_layout.hpp — which two dimensions make a pair.
#pragma once

#include <cstdint>

namespace posiscope {

// interleaved  pair i has the dimensions 2i and 2i + 1.
// halves       pair i has the dimensions i and i + pairs; scenes write "half".
enum class PairLayout { interleaved, halves };

struct PairComponent {
    std::int64_t pair;
    int component;  // 0 or 1
};

// Pair and component to dimension and back, in a table of 2·pairs columns.
constexpr std::int64_t dimension(PairLayout layout, std::int64_t pairs, PairComponent at) {
    return layout == PairLayout::interleaved ? 2 * at.pair + at.component : at.pair + at.component * pairs;
}

constexpr PairComponent pair_component(PairLayout layout, std::int64_t pairs, std::int64_t dimension) {
    if (layout == PairLayout::interleaved) return {dimension / 2, static_cast<int>(dimension % 2)};
    return {dimension % pairs, dimension < pairs ? 0 : 1};
}

}  // namespace posiscope
