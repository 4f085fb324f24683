#include "core/phase/steps.hpp"

namespace posiscope {
namespace {

Uint128 bits(Step step) { return (Uint128{step.high} << 32) | step.low; }

Step fraction(Uint128 wide) {
    return {static_cast<std::uint64_t>(wide >> 32), static_cast<std::uint32_t>(wide)};
}

}  // namespace

Step sum(Step a, Step b) { return fraction(bits(a) + bits(b)); }

Step difference(Step a, Step b) { return fraction(bits(a) - bits(b)); }

}  // namespace posiscope
