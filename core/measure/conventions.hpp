// conventions.hpp — which position, width and base a few typed numbers belong to, where nothing is known of them.
// Searched   positions up to kFarthestGuess (or the typed ones), even widths up to kWidestGuess, the usual bases; sine or cosine
//            first, pairs interleaved or in halves; rows from their first column on.
// Pair 0     has frequency 1 whatever base and width are, so it tells the position alone.
// Tolerance  one unit of the last digit typed, or what float32 makes of the angle.
#pragma once

#include "core/measure/numbers.hpp"

#include <string>
#include <vector>

namespace posiscope::measuring {

inline constexpr std::int64_t kFarthestGuess = 10'000;
inline constexpr int kWidestGuess = 16'384;

struct Convention {
    std::int64_t position = 0;  // of the first row
    double base = 0.0;
    int from = 0, to = 0;  // widths that the digits cannot tell apart
    bool sine_first = true, halves = false;

    bool operator==(const Convention&) const = default;
};

// All that fit, fewest assumptions first: base 10 000, then the near positions.
std::vector<Convention> conventions_of(std::span<const TypedRow> rows);

// The sentence about them: numbers.convention, numbers.convention_same (with others that
// have the same frequencies), numbers.conventions (several), numbers.pair_zero,
// numbers.vague (too few digits) or numbers.nowhere.
Problem describe_conventions(std::span<const TypedRow> rows);

}  // namespace posiscope::measuring
