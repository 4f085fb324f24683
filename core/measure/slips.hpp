// slips.hpp — known slips of a few typed numbers (numbers.hpp), each as a change of the waves that a Scene has.
#pragma once

#include "core/measure/reference.hpp"

#include <functional>

namespace posiscope::measuring {

// amplitude · cos or sin of rate_i · (position + offset).
struct Waves {
    std::vector<double> rate;
    double amplitude = 1.0;
    double offset = 0.0;
    double sine_sign = 1.0;
    Narrow positions = Narrow::none;
    std::vector<double> second_rate = {};  // of the second number of each pair; empty: the same
    Narrow angles = Narrow::none;
    bool raw = false;  // the angles, without cos and sin

    double angle(std::size_t pair, bool second, double position) const;
    double value(double angle, bool sine) const;
};

struct Slip {
    std::string_view name;  // "slip.NAME" in the string tables. Variants share one.
    // False where it changes nothing for this spectrum.
    std::function<bool(const Reference& reference, Waves& waves)> apply;
};
std::span<const Slip> slips();

}  // namespace posiscope::measuring
