#include "core/recognise/slips.hpp"

#include <cmath>
#include <numbers>

namespace posiscope::recognition {
namespace {

template <class Change>
bool each(Waves& waves, Change change) {
    for (std::size_t i = 0; i < waves.rate.size(); ++i) waves.rate[i] = change(i, waves.rate[i]);
    return true;
}

// Doubled exponents of a smaller base are those of a base that models use: of its square.
constexpr double kLeastDoubled = 0.999e4;

double base_of(const Known& known) {
    const auto pairs = static_cast<double>(known.unscaled.size());
    return known.unscaled.size() < 2
               ? 0.0
               : std::pow(known.unscaled.front() / known.unscaled.back(), pairs / (pairs - 1.0));
}

bool scaled(const Known& known) { return known.frequency != known.unscaled; }

template <int positions>
bool later(const Known&, Waves& waves) {
    waves.offset = positions;
    return true;
}

constexpr Slip kSlips[] = {
    {"", false, [](const Known&, Waves&) { return true; }},
    {"offset_one", false, later<1>},
    {"offset_two", false, later<2>},
    {"offset_minus", false, later<-1>},
    {"exponent_doubled", false,
     [](const Known& known, Waves& waves) {
         return (known.given || base_of(known) >= kLeastDoubled) &&
                each(waves, [](std::size_t, double rate) { return rate * rate; });
     }},
    {"two_pi", false,
     [](const Known&, Waves& waves) {
         return each(waves, [](std::size_t, double rate) { return 2.0 * std::numbers::pi * rate; });
     }},
    {"degrees", false,
     [](const Known&, Waves& waves) {
         return each(waves, [](std::size_t, double rate) { return 180.0 / std::numbers::pi * rate; });
     }},
    {"radians", false,
     [](const Known&, Waves& waves) {
         return each(waves, [](std::size_t, double rate) { return std::numbers::pi / 180.0 * rate; });
     }},
    {"backwards", false,
     [](const Known&, Waves& waves) {
         waves.sine_sign = -1.0;
         return true;
     }},
    {"bfloat16_positions", false,
     [](const Known&, Waves& waves) {
         waves.positions = Rounding::bfloat16;
         return true;
     }},
    {"float16_positions", false,
     [](const Known&, Waves& waves) {
         waves.positions = Rounding::float16;
         return true;
     }},
    {"unscaled", true,
     [](const Known& known, Waves& waves) {
         waves.rate = known.unscaled;
         waves.amplitude = 1.0;
         return scaled(known);
     }},
    {"scaled_inverse", true,
     [](const Known& known, Waves& waves) {
         return scaled(known) && each(waves, [&](std::size_t i, double rate) {
                    return rate > 0.0 ? known.unscaled[i] * known.unscaled[i] / rate : 0.0;
                });
     }},
    {"scaled_twice", true,
     [](const Known& known, Waves& waves) {
         return scaled(known) &&
                each(waves, [&](std::size_t i, double rate) { return rate * rate / known.unscaled[i]; });
     }},
    {"factor_twice", true,
     [](const Known& known, Waves& waves) {
         waves.amplitude *= known.factor;
         return known.factor != 1.0;
     }},
    {"factor_missing", true,
     [](const Known& known, Waves& waves) {
         waves.amplitude = 1.0;
         return known.factor != 1.0;
     }},
};

}  // namespace

std::span<const Slip> slips() { return kSlips; }

bool changes_rates(const Slip& slip) {
    return slip.name == "exponent_doubled" || slip.name == "two_pi" || slip.name == "degrees" ||
           slip.name == "radians" || slip.name.starts_with("scaled_") || slip.name == "unscaled";
}

bool meant(const Slip& slip, const Known& known) {
    return slip.name.empty() || known.given || (!slip.needs_config && known.plain);
}

}  // namespace posiscope::recognition
