#include "core/scaling/ramp.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope {

PairRange correction_range(double fast, double slow, std::int64_t rotary_dim, double base, double original,
                           bool truncate) {
    const auto width = static_cast<double>(rotary_dim);
    const auto pair_with = [&](double turns) {
        return width * std::log(original / (turns * 2.0 * std::numbers::pi)) / (2.0 * std::log(base));
    };
    PairRange range{pair_with(fast), pair_with(slow)};
    if (truncate) range = {std::floor(range.low), std::ceil(range.high)};
    return {std::max(range.low, 0.0), std::min(range.high, width - 1.0)};
}

double kept_by_pair(const PairRange& range, double pair) {
    const double width = range.low == range.high ? 0.001 : range.high - range.low;
    return 1.0 - std::clamp((pair - range.low) / width, 0.0, 1.0);
}

double kept_by_rotations(double frequency, double original, double slow, double fast) {
    const double rotations = original * frequency / (2.0 * std::numbers::pi);
    if (rotations < slow) return 0.0;
    if (rotations >= fast) return 1.0;
    return (rotations - slow) / (fast - slow);
}

}  // namespace posiscope
