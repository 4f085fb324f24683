// steps.hpp — sums and differences of steps, modulo one turn and with all 96 bits.
#pragma once

#include "core/phase/phase.hpp"

namespace posiscope {

inline Uint128 bits(Step step) { return (Uint128{step.high} << 32) | step.low; }

// The lowest 96 bits.
inline Step fraction(Uint128 wide) {
    return {static_cast<std::uint64_t>(wide >> 32), static_cast<std::uint32_t>(wide)};
}

Step sum(Step a, Step b);
Step difference(Step a, Step b);  // a − b

}  // namespace posiscope
