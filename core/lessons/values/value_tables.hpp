// value_tables.hpp — named values for lessons, one file per topic; values.cpp has them all.
#pragma once

#include "core/encodings/turning.hpp"
#include "core/lessons/values.hpp"

#include <numbers>

namespace posiscope::lessons {

inline constexpr double kTurn = 2.0 * std::numbers::pi;
inline constexpr std::int64_t kFarthest = 1 << 16;  // distances that a search looks through

inline Result<double> no_value(std::string_view name) {
    return refuse("lesson.no_value", {{"name", std::string(name)}});
}

// Result<double> of(const Spectrum&), of the Scene's: for frequencies by themselves.
template <class Of>
Result<double> of_rates(const Scene& scene, Of of) {
    const auto spectrum = spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    return of(*spectrum);
}

// The same for what multiplies them by a position or a distance.
template <class Of>
Result<double> of_spectrum(const Scene& scene, Of of) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    return of(*spectrum);
}

// In the order in which they are listed.
std::span<const Value> scene_values();
std::span<const Value> pair_values();
std::span<const Value> spectrum_values();
std::span<const Value> shift_values();
std::span<const Value> score_values();
std::span<const Value> uniqueness_values();
std::span<const Value> order_values();
std::span<const Value> term_values();
std::span<const Value> training_values();
std::span<const Value> row_values();

}  // namespace posiscope::lessons
