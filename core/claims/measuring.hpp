// measuring.hpp — what the measures of all groups share.
#pragma once

#include "core/claims/claims.hpp"
#include "core/cost.hpp"
#include "core/encodings/turning.hpp"

#include <limits>

namespace posiscope::claims {

inline constexpr double kMostSamples = 1e6;  // entries of a table that a measure looks at: more are sampled
inline constexpr double kExact = 1e-12;      // of numbers about 1, after a few roundings
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The spectrum of an encoding whose pairs are points of unit circles; claim.absent for others.
Result<Spectrum> circles(const Case& at);
// 6.1.4, sin 2πf p, for the Scene's base and width: what a claim about that form measures, whatever form the Scene has.
Result<Spectrum> in_cycles(const Case& at);
// The same as circles for an encoding that turns queries and keys.
Result<Spectrum> rotary(const Case& at);
Problem not_for(const Case& at, std::string_view needs);

Result<void> affordable(const Case& at, double steps);

// The rounding error of float64 in a sum over all pairs.
double rounding(const Spectrum& spectrum);

// Positions 0 … length − 1, at most `most` of them, evenly spread and the first among them.
std::vector<std::int64_t> sampled_positions(const Scene& scene, double most);

inline Residual at_most(double value, double most,
                        std::vector<std::pair<std::string_view, double>> numbers = {}) {
    return {value, 0.0, most, std::move(numbers)};
}
inline Residual within(double value, double least, double most,
                       std::vector<std::pair<std::string_view, double>> numbers = {}) {
    return {value, least, most, std::move(numbers)};
}

// Marked as unseen where the Scene cannot show the number.
inline Residual seen_unless(bool unseen, Residual made) {
    if (unseen) made.form = kUnseen;
    return made;
}
inline Residual in_form(std::string_view form, Residual made) {
    made.form = form;
    return made;
}
// Marked as numbers that may be tiny without being roundings, such as frequencies.
inline Residual as_they_are(Residual made) {
    made.tiny = true;
    return made;
}

inline double real(std::int64_t whole) { return static_cast<double>(whole); }

std::span<const Measure> shift_measures();
std::span<const Measure> convention_measures();
std::span<const Measure> basis_measures();
std::span<const Measure> order_measures();
std::span<const Measure> score_measures();

}  // namespace posiscope::claims
