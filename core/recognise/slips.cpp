#include "core/recognise/slips.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace posiscope::recognition {
namespace {

template <class Change>
bool each(Waves& waves, Change change) {
    for (std::size_t i = 0; i < waves.rate.size(); ++i) waves.rate[i] = change(i, waves.rate[i]);
    return true;
}

bool times(Waves& waves, double factor) {
    waves.loose = 6e-8 * std::abs(std::log(factor));
    return each(waves, [factor](std::size_t, double rate) { return factor * rate; });
}

// Doubled exponents of a smaller base are those of a base that models use: of its square.
constexpr double kLeastDoubled = 0.999e4;

// 0 where the spectrum has none.
double base_of(const Known& known) {
    const auto pairs = static_cast<double>(known.unscaled.size());
    if (known.unscaled.size() < 2 || !(known.unscaled.back() > 0.0)) return 0.0;
    return std::pow(known.unscaled.front() / known.unscaled.back(), pairs / (pairs - 1.0));
}

bool scaled(const Known& known) { return known.frequency != known.unscaled; }

double ratio(const Known& known, std::size_t i) {
    return known.unscaled[i] > 0.0 ? known.frequency[i] / known.unscaled[i] : 1.0;
}

// The rates of b^(−x), where x is a function of the pair and of how many there are; scaled as they would be.
template <class Exponent>
bool with_exponents(const Known& known, std::vector<double>& rates, Exponent exponent) {
    const double base = base_of(known);
    if (!(base > 1.0)) return false;
    const auto pairs = static_cast<double>(known.frequency.size());
    rates.resize(known.frequency.size());
    for (std::size_t i = 0; i < rates.size(); ++i)
        rates[i] = std::pow(base, -exponent(static_cast<double>(i), pairs)) * ratio(known, i);
    return true;
}
template <class Exponent>
bool with_exponents(const Known& known, Waves& waves, Exponent exponent) {
    return with_exponents(known, waves.rate, exponent);
}

// Each number of a pair has its own frequency: that of its column.
template <class First, class Second>
bool own_frequencies(const Known& known, Waves& waves, First first, Second second) {
    return with_exponents(known, waves.rate, first) && with_exponents(known, waves.second_rate, second);
}

template <int more>
bool denominator(const Known& known, Waves& waves) {
    return known.frequency.size() > 2 &&
           with_exponents(known, waves, [](double i, double h) { return i / (h + more); });
}

bool of_width(const Known& known, Waves& waves, std::int64_t width) {
    return width > 0 && width != static_cast<std::int64_t>(2 * known.frequency.size()) &&
           with_exponents(known, waves,
                          [&](double i, double) { return 2.0 * i / static_cast<double>(width); });
}

template <int positions>
bool later(const Known&, Waves& waves) {
    waves.offset = positions;
    return true;
}

template <Rounding to>
double rounded_rate(double rate) {
    if (to == Rounding::float16 && rate < 0x1p-14)
        return std::ldexp(std::nearbyint(std::ldexp(rate, 24)), -24);
    return rounded_position(rate, to);
}

template <Rounding to>
bool rounded_rates(const Known&, Waves& waves) {
    return each(waves, [](std::size_t, double rate) { return rounded_rate<to>(rate); });
}

template <Rounding to>
bool rounded_angles(const Known&, Waves& waves) {
    waves.angles = to;
    return true;
}

template <Rounding to>
bool rounded_positions(const Known&, Waves& waves) {
    waves.positions = to;
    return true;
}

bool all_rounded(const Known& known, Waves& waves) {
    waves.positions = waves.angles = Rounding::bfloat16;
    return rounded_rates<Rounding::bfloat16>(known, waves);
}

// Each step of 1 / b^(2i/d) is rounded too.
bool each_step_rounded(const Known& known, Waves& waves) {
    const double base = base_of(known);
    if (!(base > 1.0) || scaled(known)) return false;
    waves.positions = waves.angles = Rounding::bfloat16;
    const auto round = [](double value) { return rounded_position(value, Rounding::bfloat16); };
    const auto pairs = static_cast<double>(waves.rate.size());
    return each(waves, [&](std::size_t i, double) {
        return round(1.0 / round(std::pow(round(base), round(static_cast<double>(i) / pairs))));
    });
}

constexpr Slip kSlips[] = {
    {.name = "", .apply = [](const Known&, Waves&) { return true; }},
    {.name = "offset_one", .stage = Stage::positions, .apply = later<1>},
    {.name = "offset_two", .stage = Stage::positions, .apply = later<2>},
    {.name = "offset_minus", .stage = Stage::positions, .apply = later<-1>},
    {.name = "bfloat16_positions",
     .stage = Stage::positions,
     .rounds = true,
     .apply = rounded_positions<Rounding::bfloat16>},
    {.name = "float16_positions",
     .stage = Stage::positions,
     .rounds = true,
     .apply = rounded_positions<Rounding::float16>},
    {.name = "exponent_doubled",
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return (known.given || base_of(known) >= kLeastDoubled) &&
                    each(waves, [](std::size_t, double rate) { return rate * rate; });
         }},
    {.name = "exponent_half",
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) { return 0.5 * i / h; });
         }},
    {.name = "exponent_positive",
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             const double base = base_of(known);
             return base > 1.0 &&
                    each(waves, [&](std::size_t i, double) { return ratio(known, i) / known.unscaled[i]; });
         }},
    {.name = "denominator_two_more", .stage = Stage::rates, .apply = denominator<1>},
    {.name = "denominator_two_less", .stage = Stage::rates, .apply = denominator<-1>},
    {.name = "denominator_model",
     .stage = Stage::rates,
     .needs_config = true,
     .apply = [](const Known& known, Waves& waves) { return of_width(known, waves, known.model_width); }},
    {.name = "denominator_head",
     .stage = Stage::rates,
     .needs_config = true,
     .apply = [](const Known& known, Waves& waves) { return of_width(known, waves, known.head_width); }},
    {.name = "log10",
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) {
                 return i / h * std::numbers::log10e;  // e^(−x log10 b) = b^(−x log10 e)
             });
         }},
    {.name = "frequencies_from_one",
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) { return (i + 1.0) / h; });
         }},
    {.name = "frequencies_repeated",
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) { return std::floor(i / 2.0) / h; });
         }},
    {.name = "frequencies_repeated",
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return with_exponents(known, waves,
                                   [](double i, double h) { return 2.0 * std::floor(i / 2.0) / h; });
         }},
    {.name = "frequencies_repeated",
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) {
                 return 2.0 * std::fmod(i, std::floor(0.5 * h)) / h;
             });
         }},
    {.name = "frequencies_reversed",
     .stage = Stage::rates,
     .apply =
         [](const Known&, Waves& waves) {
             std::reverse(waves.rate.begin(), waves.rate.end());
             return true;
         }},
    {.name = "own_frequencies",  // columns 2i, 2i + 1 of b^(−c/d)
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return own_frequencies(
                 known, waves, [](double i, double h) { return i / h; },
                 [](double i, double h) { return (i + 0.5) / h; });
         }},
    {.name = "own_frequencies",  // of b^(−2c/d)
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return own_frequencies(
                 known, waves, [](double i, double h) { return 2.0 * i / h; },
                 [](double i, double h) { return (2.0 * i + 1.0) / h; });
         }},
    {.name = "own_frequencies",  // columns i, i + h of b^(−c/d)
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return own_frequencies(
                 known, waves, [](double i, double h) { return 0.5 * i / h; },
                 [](double i, double h) { return 0.5 * (i + h) / h; });
         }},
    {.name = "own_frequencies",
     .stage = Stage::rates,
     .apply =
         [](const Known& known, Waves& waves) {
             return own_frequencies(
                 known, waves, [](double i, double h) { return i / h; },
                 [](double i, double h) { return (i + h) / h; });
         }},
    {.name = "wavelengths",
     .stage = Stage::rates,
     .apply =
         [](const Known&, Waves& waves) {
             return each(waves, [](std::size_t, double rate) {
                 return rate > 0.0 ? 2.0 * std::numbers::pi / rate : 0.0;
             });
         }},
    {.name = "two_pi",
     .stage = Stage::rates,
     .apply = [](const Known&, Waves& waves) { return times(waves, 2.0 * std::numbers::pi); }},
    {.name = "degrees",
     .stage = Stage::rates,
     .apply = [](const Known&, Waves& waves) { return times(waves, 180.0 / std::numbers::pi); }},
    {.name = "radians",
     .stage = Stage::rates,
     .apply = [](const Known&, Waves& waves) { return times(waves, std::numbers::pi / 180.0); }},
    {.name = "inv_freq_bfloat16",
     .stage = Stage::rates,
     .rounds = true,
     .apply = rounded_rates<Rounding::bfloat16>},
    {.name = "inv_freq_float16",
     .stage = Stage::rates,
     .rounds = true,
     .apply = rounded_rates<Rounding::float16>},
    {.name = "unscaled",
     .stage = Stage::rates,
     .needs_config = true,
     .apply =
         [](const Known& known, Waves& waves) {
             waves.rate = known.unscaled;
             waves.amplitude = 1.0;
             return scaled(known);
         }},
    {.name = "scaled_inverse",
     .stage = Stage::rates,
     .needs_config = true,
     .apply =
         [](const Known& known, Waves& waves) {
             return scaled(known) && each(waves, [&](std::size_t i, double rate) {
                        return rate > 0.0 ? known.unscaled[i] * known.unscaled[i] / rate : 0.0;
                    });
         }},
    {.name = "scaled_twice",
     .stage = Stage::rates,
     .needs_config = true,
     .apply =
         [](const Known& known, Waves& waves) {
             return scaled(known) && each(waves, [&](std::size_t i, double rate) {
                        return known.unscaled[i] > 0.0 ? rate * rate / known.unscaled[i] : 0.0;
                    });
         }},
    {.name = "ramp_inverted",  // where the slow pairs should be divided, the fast ones are
     .stage = Stage::rates,
     .needs_config = true,
     .apply =
         [](const Known& known, Waves& waves) {
             double least = 1.0, most = 0.0;
             for (std::size_t i = 0; i < waves.rate.size(); ++i) {
                 least = std::min(least, ratio(known, i));
                 most = std::max(most, ratio(known, i));
             }
             return most - least > 1e-6 && each(waves, [&](std::size_t i, double) {
                        return known.unscaled[i] * (least + most - ratio(known, i));
                    });
         }},
    {.name = "backwards",
     .stage = Stage::values,
     .apply =
         [](const Known&, Waves& waves) {
             waves.sine_sign = -1.0;
             return true;
         }},
    {.name = "bfloat16_angles",
     .stage = Stage::values,
     .rounds = true,
     .apply = rounded_angles<Rounding::bfloat16>},
    {.name = "float16_angles",
     .stage = Stage::values,
     .rounds = true,
     .apply = rounded_angles<Rounding::float16>},
    {.name = "bfloat16_all", .stage = Stage::values, .rounds = true, .apply = all_rounded},
    {.name = "bfloat16_all", .stage = Stage::values, .rounds = true, .apply = each_step_rounded},
    {.name = "raw_angles",
     .stage = Stage::values,
     .apply =
         [](const Known&, Waves& waves) {
             waves.raw = true;
             return true;
         }},
    {.name = "raw_angles",  // of YaRN, times the attention factor or not
     .stage = Stage::values,
     .needs_config = true,
     .apply =
         [](const Known& known, Waves& waves) {
             waves.raw = true;
             waves.amplitude = 1.0;
             return known.factor != 1.0;
         }},
    {.name = "factor_twice",
     .stage = Stage::values,
     .needs_config = true,
     .apply =
         [](const Known& known, Waves& waves) {
             waves.amplitude *= known.factor;
             return known.factor != 1.0;
         }},
    {.name = "factor_missing",
     .stage = Stage::values,
     .needs_config = true,
     .apply =
         [](const Known& known, Waves& waves) {
             waves.amplitude = 1.0;
             return known.factor != 1.0;
         }},
};

}  // namespace

std::span<const Slip> slips() { return kSlips; }

bool meant(const Slip& slip, const Known& known) {
    return slip.name.empty() || known.given || (!slip.needs_config && known.plain);
}

int Slipped::count() const {
    return (of_rates != nullptr ? 1 : 0) + (of_positions != nullptr ? 1 : 0) + (of_values != nullptr ? 1 : 0);
}

bool Slipped::rounds() const {
    const auto one = [](const Slip* slip) { return slip != nullptr && slip->rounds; };
    return one(of_rates) || one(of_positions) || one(of_values);
}

std::string Slipped::key() const {
    std::string made;
    for (const Slip* slip : {of_rates, of_positions, of_values})
        if (slip != nullptr) made += fmt::format("{}{}", made.empty() ? "" : "+", slip->name);
    return made;
}

bool Slipped::apply(const Known& known, Waves& waves) const {
    for (const Slip* slip : {of_rates, of_positions, of_values})
        if (slip != nullptr && !slip->apply(known, waves)) return false;
    return true;
}

std::vector<Problem> Slipped::problems(const Known& known) const {
    std::vector<Problem> made;
    for (const Slip* slip : {of_rates, of_positions, of_values}) {
        if (slip == nullptr) continue;
        const std::int64_t width = slip->name == "denominator_head" ? known.head_width : known.model_width;
        made.push_back({"slip." + std::string(slip->name),
                        {{"spectrum", known.words},
                         {"columns", std::to_string(2 * known.frequency.size())},
                         {"more", std::to_string(2 * known.frequency.size() + 2)},
                         {"less", std::to_string(2 * known.frequency.size() - 2)},
                         {"width", std::to_string(width)}}});
    }
    return made;
}

std::vector<Slipped> slips_at(const Known& known, bool two) {
    std::vector<Slipped> made{{}};
    // Stage by stage, so that no stage has two.
    const auto stage = [&](Stage of, auto into) {
        std::vector<Slipped> before = made;
        for (const Slip& slip : kSlips) {
            if (slip.stage != of || !meant(slip, known)) continue;
            for (const Slipped& one : before)
                if (one.count() == 0 || (two && one.count() == 1)) {
                    Slipped with = one;
                    with.*into = &slip;
                    made.push_back(with);
                }
        }
    };
    stage(Stage::rates, &Slipped::of_rates);
    stage(Stage::positions, &Slipped::of_positions);
    stage(Stage::values, &Slipped::of_values);
    return made;
}

}  // namespace posiscope::recognition
