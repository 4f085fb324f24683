#include "core/measure/slips.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posiscope::measuring {
namespace {

template <class Change>
bool each_rate(Waves& waves, Change change) {
    for (std::size_t i = 0; i < waves.rate.size(); ++i) waves.rate[i] = change(i, waves.rate[i]);
    return true;
}

bool rates_times(Waves& waves, double factor) {
    return each_rate(waves, [factor](std::size_t, double rate) { return factor * rate; });
}

// Doubled exponents of a smaller base are those of a base that models use: of its square.
constexpr double kLeastDoubled = 0.999e4;

// 0 where the spectrum has none.
double base_of_waves(const Reference& known) {
    const auto pairs = static_cast<double>(known.unscaled.size());
    if (known.unscaled.size() < 2 || !(known.unscaled.back() > 0.0)) return 0.0;
    return std::pow(known.unscaled.front() / known.unscaled.back(), pairs / (pairs - 1.0));
}

double ratio(const Reference& known, std::size_t i) {
    return known.unscaled[i] > 0.0 ? known.frequency[i] / known.unscaled[i] : 1.0;
}

// The rates of b^(−x), where x is a function of the pair and of how many there are; scaled as they would be.
template <class Exponent>
bool with_exponents(const Reference& known, std::vector<double>& rates, Exponent exponent) {
    const double base = base_of_waves(known);
    if (!(base > 1.0)) return false;
    const auto pairs = static_cast<double>(known.frequency.size());
    rates.resize(known.frequency.size());
    for (std::size_t i = 0; i < rates.size(); ++i)
        rates[i] = std::pow(base, -exponent(static_cast<double>(i), pairs)) * ratio(known, i);
    return true;
}
template <class Exponent>
bool with_exponents(const Reference& known, Waves& waves, Exponent exponent) {
    return with_exponents(known, waves.rate, exponent);
}

// Each number of a pair has its own frequency: that of its column.
template <class First, class Second>
bool own_frequencies(const Reference& known, Waves& waves, First first, Second second) {
    return with_exponents(known, waves.rate, first) && with_exponents(known, waves.second_rate, second);
}

template <int more>
bool denominator(const Reference& known, Waves& waves) {
    return known.frequency.size() > 2 &&
           with_exponents(known, waves, [](double i, double h) { return i / (h + more); });
}

bool of_width(const Reference& known, Waves& waves, std::int64_t width) {
    return width > 0 && width != static_cast<std::int64_t>(2 * known.frequency.size()) &&
           with_exponents(known, waves,
                          [&](double i, double) { return 2.0 * i / static_cast<double>(width); });
}

template <int positions>
bool later(const Reference&, Waves& waves) {
    waves.offset = positions;
    return true;
}

template <Narrow to>
bool rounded_rates(const Reference&, Waves& waves) {
    return each_rate(waves, [](std::size_t, double rate) { return narrowed(rate, to); });
}

template <Narrow to>
bool rounded_angles(const Reference&, Waves& waves) {
    waves.angles = to;
    return true;
}

template <Narrow to>
bool rounded_positions(const Reference&, Waves& waves) {
    waves.positions = to;
    return true;
}

bool all_rounded(const Reference& known, Waves& waves) {
    waves.positions = waves.angles = Narrow::bfloat16;
    return rounded_rates<Narrow::bfloat16>(known, waves);
}

// Each step of 1 / b^(2i/d) is rounded too.
bool each_step_rounded(const Reference& known, Waves& waves) {
    const double base = base_of_waves(known);
    if (!(base > 1.0) || known.scaled()) return false;
    waves.positions = waves.angles = Narrow::bfloat16;
    const auto round = [](double value) { return narrowed(value, Narrow::bfloat16); };
    const auto pairs = static_cast<double>(waves.rate.size());
    return each_rate(waves, [&](std::size_t i, double) {
        return round(1.0 / round(std::pow(round(base), round(static_cast<double>(i) / pairs))));
    });
}

constexpr Slip kSlips[] = {
    {.name = "offset_one", .apply = later<1>},
    {.name = "offset_two", .apply = later<2>},
    {.name = "offset_minus", .apply = later<-1>},
    {.name = "bfloat16_positions", .apply = rounded_positions<Narrow::bfloat16>},
    {.name = "float16_positions", .apply = rounded_positions<Narrow::float16>},
    {.name = "exponent_doubled",
     .apply =
         [](const Reference& known, Waves& waves) {
             return base_of_waves(known) >= kLeastDoubled &&
                    each_rate(waves, [](std::size_t, double rate) { return rate * rate; });
         }},
    {.name = "exponent_half",
     .apply =
         [](const Reference& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) { return 0.5 * i / h; });
         }},
    {.name = "exponent_positive",
     .apply =
         [](const Reference& known, Waves& waves) {
             const double base = base_of_waves(known);
             return base > 1.0 && each_rate(waves, [&](std::size_t i, double) {
                        return ratio(known, i) / known.unscaled[i];
                    });
         }},
    {.name = "denominator_two_more", .apply = denominator<1>},
    {.name = "denominator_two_less", .apply = denominator<-1>},
    {.name = "denominator_model",
     .apply = [](const Reference& known, Waves& waves) { return of_width(known, waves, known.model_width); }},
    {.name = "denominator_head",
     .apply = [](const Reference& known, Waves& waves) { return of_width(known, waves, known.head_width); }},
    {.name = "log10",
     .apply =
         [](const Reference& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) {
                 return i / h * std::numbers::log10e;  // e^(−x log10 b) = b^(−x log10 e)
             });
         }},
    {.name = "frequencies_from_one",
     .apply =
         [](const Reference& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) { return (i + 1.0) / h; });
         }},
    {.name = "frequencies_repeated",
     .apply =
         [](const Reference& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) { return std::floor(i / 2.0) / h; });
         }},
    {.name = "frequencies_repeated",
     .apply =
         [](const Reference& known, Waves& waves) {
             return with_exponents(known, waves,
                                   [](double i, double h) { return 2.0 * std::floor(i / 2.0) / h; });
         }},
    {.name = "frequencies_repeated",
     .apply =
         [](const Reference& known, Waves& waves) {
             return with_exponents(known, waves, [](double i, double h) {
                 return 2.0 * std::fmod(i, std::floor(0.5 * h)) / h;
             });
         }},
    {.name = "frequencies_reversed",
     .apply =
         [](const Reference&, Waves& waves) {
             std::reverse(waves.rate.begin(), waves.rate.end());
             return true;
         }},
    {.name = "own_frequencies",  // columns 2i, 2i + 1 of b^(−c/d)
     .apply =
         [](const Reference& known, Waves& waves) {
             return own_frequencies(
                 known, waves, [](double i, double h) { return i / h; },
                 [](double i, double h) { return (i + 0.5) / h; });
         }},
    {.name = "own_frequencies",  // of b^(−2c/d)
     .apply =
         [](const Reference& known, Waves& waves) {
             return own_frequencies(
                 known, waves, [](double i, double h) { return 2.0 * i / h; },
                 [](double i, double h) { return (2.0 * i + 1.0) / h; });
         }},
    {.name = "own_frequencies",  // columns i, i + h of b^(−c/d)
     .apply =
         [](const Reference& known, Waves& waves) {
             return own_frequencies(
                 known, waves, [](double i, double h) { return 0.5 * i / h; },
                 [](double i, double h) { return 0.5 * (i + h) / h; });
         }},
    {.name = "own_frequencies",
     .apply =
         [](const Reference& known, Waves& waves) {
             return own_frequencies(
                 known, waves, [](double i, double h) { return i / h; },
                 [](double i, double h) { return (i + h) / h; });
         }},
    {.name = "wavelengths",
     .apply =
         [](const Reference&, Waves& waves) {
             return each_rate(waves, [](std::size_t, double rate) {
                 return rate > 0.0 ? 2.0 * std::numbers::pi / rate : 0.0;
             });
         }},
    {.name = "two_pi",
     .apply = [](const Reference&, Waves& waves) { return rates_times(waves, 2.0 * std::numbers::pi); }},
    {.name = "degrees",
     .apply = [](const Reference&, Waves& waves) { return rates_times(waves, 180.0 / std::numbers::pi); }},
    {.name = "radians",
     .apply = [](const Reference&, Waves& waves) { return rates_times(waves, std::numbers::pi / 180.0); }},
    {.name = "inv_freq_bfloat16", .apply = rounded_rates<Narrow::bfloat16>},
    {.name = "inv_freq_float16", .apply = rounded_rates<Narrow::float16>},
    {.name = "unscaled",
     .apply =
         [](const Reference& known, Waves& waves) {
             waves.rate = known.unscaled;
             waves.amplitude = 1.0;
             return known.scaled();
         }},
    {.name = "scaled_inverse",
     .apply =
         [](const Reference& known, Waves& waves) {
             return known.scaled() && each_rate(waves, [&](std::size_t i, double rate) {
                        return rate > 0.0 ? known.unscaled[i] * known.unscaled[i] / rate : 0.0;
                    });
         }},
    {.name = "scaled_twice",
     .apply =
         [](const Reference& known, Waves& waves) {
             return known.scaled() && each_rate(waves, [&](std::size_t i, double rate) {
                        return known.unscaled[i] > 0.0 ? rate * rate / known.unscaled[i] : 0.0;
                    });
         }},
    {.name = "ramp_inverted",  // where the slow pairs should be divided, the fast ones are
     .apply =
         [](const Reference& known, Waves& waves) {
             double least = 1.0, most = 0.0;
             for (std::size_t i = 0; i < waves.rate.size(); ++i) {
                 least = std::min(least, ratio(known, i));
                 most = std::max(most, ratio(known, i));
             }
             return most - least > 1e-6 && each_rate(waves, [&](std::size_t i, double) {
                        return known.unscaled[i] * (least + most - ratio(known, i));
                    });
         }},
    {.name = "backwards",
     .apply =
         [](const Reference&, Waves& waves) {
             waves.sine_sign = -1.0;
             return true;
         }},
    {.name = "bfloat16_angles", .apply = rounded_angles<Narrow::bfloat16>},
    {.name = "float16_angles", .apply = rounded_angles<Narrow::float16>},
    {.name = "bfloat16_all", .apply = all_rounded},
    {.name = "bfloat16_all", .apply = each_step_rounded},
    {.name = "raw_angles",
     .apply =
         [](const Reference&, Waves& waves) {
             waves.raw = true;
             return true;
         }},
    {.name = "raw_angles",  // of YaRN, times the attention factor or not
     .apply =
         [](const Reference& known, Waves& waves) {
             waves.raw = true;
             waves.amplitude = 1.0;
             return known.amplitude != 1.0;
         }},
    {.name = "factor_twice",
     .apply =
         [](const Reference& known, Waves& waves) {
             waves.amplitude *= known.amplitude;
             return known.amplitude != 1.0;
         }},
    {.name = "factor_missing",
     .apply =
         [](const Reference& known, Waves& waves) {
             waves.amplitude = 1.0;
             return known.amplitude != 1.0;
         }},
};

}  // namespace

std::span<const Slip> slips() { return kSlips; }

double Waves::angle(std::size_t pair, bool second, double position) const {
    const double at = narrowed(position + offset, positions);
    return narrowed((second && !second_rate.empty() ? second_rate[pair] : rate[pair]) * at, angles);
}

double Waves::value(double angle, bool sine) const {
    return amplitude * (raw ? angle : sine ? sine_sign * std::sin(angle) : std::cos(angle));
}

}  // namespace posiscope::measuring
