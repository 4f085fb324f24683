#include "core/measure/slips.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace posiscope::measuring {
namespace {

using Apply = std::function<bool(const Reference&, Waves&)>;
using Exponent = double (*)(double pair, double pairs);

template <class Change>
bool each_rate(Waves& waves, Change change) {
    for (std::size_t i = 0; i < waves.rate.size(); ++i) waves.rate[i] = change(i, waves.rate[i]);
    return true;
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
template <class Of>
bool with_exponents(const Reference& known, std::vector<double>& rates, Of exponent) {
    const double base = base_of_waves(known);
    if (!(base > 1.0)) return false;
    const auto pairs = static_cast<double>(known.frequency.size());
    rates.resize(known.frequency.size());
    for (std::size_t i = 0; i < rates.size(); ++i)
        rates[i] = std::pow(base, -exponent(static_cast<double>(i), pairs)) * ratio(known, i);
    return true;
}

// ---- ways to make a slip ------------------------------------------------------------------------------------------

Apply exponents(Exponent exponent) {
    return [=](const Reference& known, Waves& waves) { return with_exponents(known, waves.rate, exponent); };
}
// Each number of a pair has its own frequency: that of its column.
Apply own_frequencies(Exponent first, Exponent second) {
    return [=](const Reference& known, Waves& waves) {
        return with_exponents(known, waves.rate, first) && with_exponents(known, waves.second_rate, second);
    };
}
Apply denominator(double more) {
    return [=](const Reference& known, Waves& waves) {
        return known.frequency.size() > 2 &&
               with_exponents(known, waves.rate, [=](double i, double h) { return i / (h + more); });
    };
}
Apply of_width(std::int64_t Reference::*width) {
    return [=](const Reference& known, Waves& waves) {
        const auto d = static_cast<double>(known.*width);
        return d > 0.0 && known.*width != 2 * known.pairs() &&
               with_exponents(known, waves.rate, [=](double i, double) { return 2.0 * i / d; });
    };
}
// Each frequency of the spectrum, unscaled and scaled, as another one; 0 stays.
Apply frequencies(double (*of)(double unscaled, double scaled)) {
    return [=](const Reference& known, Waves& waves) {
        return each_rate(waves, [&](std::size_t i, double rate) {
            return rate > 0.0 && known.unscaled[i] > 0.0 ? of(known.unscaled[i], rate) : 0.0;
        });
    };
}
Apply if_scaled(const Apply& apply) {
    return [=](const Reference& known, Waves& waves) { return known.scaled() && apply(known, waves); };
}
// A member of the waves as the slip has it.
template <class Value>
Apply set_to(Value Waves::*member, Value value) {
    return [=](const Reference&, Waves& waves) { return waves.*member = value, true; };
}
Apply rounded_rates(Narrow to) {
    return [=](const Reference&, Waves& waves) {
        return each_rate(waves, [=](std::size_t, double rate) { return narrowed(rate, to); });
    };
}
Apply attention_factor(double (*of)(double wanted), bool raw = false) {
    return [=](const Reference& known, Waves& waves) {
        waves.raw = raw;
        waves.amplitude = of(known.amplitude);
        return known.amplitude != 1.0;
    };
}

bool exponent_doubled(const Reference& known, Waves& waves) {
    return base_of_waves(known) >= kLeastDoubled &&
           each_rate(waves, [](std::size_t, double rate) { return rate * rate; });
}

bool exponent_positive(const Reference& known, Waves& waves) {
    return base_of_waves(known) > 1.0 &&
           each_rate(waves, [&](std::size_t i, double) { return ratio(known, i) / known.unscaled[i]; });
}

bool reversed(const Reference&, Waves& waves) {
    std::ranges::reverse(waves.rate);
    return true;
}

bool unscaled(const Reference& known, Waves& waves) {
    waves.rate = known.unscaled;
    waves.amplitude = 1.0;
    return known.scaled();
}

// The fast pairs are divided, and not the slow ones.
bool ramp_inverted(const Reference& known, Waves& waves) {
    double least = 1.0, most = 0.0;
    for (std::size_t i = 0; i < waves.rate.size(); ++i)
        least = std::min(least, ratio(known, i)), most = std::max(most, ratio(known, i));
    return most - least > 1e-6 && each_rate(waves, [&](std::size_t i, double) {
               return known.unscaled[i] * (least + most - ratio(known, i));
           });
}

bool all_rounded(const Reference& known, Waves& waves) {
    waves.positions = waves.angles = Narrow::bfloat16;
    return rounded_rates(Narrow::bfloat16)(known, waves);
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

}  // namespace

std::span<const Slip> slips() {
    using std::numbers::pi;
    static const std::vector<Slip> all = {
        {"offset_one", set_to(&Waves::offset, 1.0)},
        {"offset_two", set_to(&Waves::offset, 2.0)},
        {"offset_minus", set_to(&Waves::offset, -1.0)},
        {"bfloat16_positions", set_to(&Waves::positions, Narrow::bfloat16)},
        {"float16_positions", set_to(&Waves::positions, Narrow::float16)},
        {"exponent_doubled", exponent_doubled},
        {"exponent_half", exponents([](double i, double h) { return 0.5 * i / h; })},
        {"exponent_positive", exponent_positive},
        {"denominator_two_more", denominator(1.0)},
        {"denominator_two_less", denominator(-1.0)},
        {"denominator_model", of_width(&Reference::model_width)},
        {"denominator_head", of_width(&Reference::head_width)},
        // e^(−x log10 b) = b^(−x log10 e)
        {"log10", exponents([](double i, double h) { return i / h * std::numbers::log10e; })},
        {"frequencies_from_one", exponents([](double i, double h) { return (i + 1.0) / h; })},
        {"frequencies_repeated", exponents([](double i, double h) { return std::floor(i / 2.0) / h; })},
        {"frequencies_repeated", exponents([](double i, double h) { return 2.0 * std::floor(i / 2.0) / h; })},
        {"frequencies_repeated",
         exponents([](double i, double h) { return 2.0 * std::fmod(i, std::floor(0.5 * h)) / h; })},
        {"frequencies_reversed", reversed},
        // Columns 2i and 2i + 1 of b^(−c/d), and of b^(−2c/d); then columns i and i + h.
        {"own_frequencies", own_frequencies([](double i, double h) { return i / h; },
                                            [](double i, double h) { return (i + 0.5) / h; })},
        {"own_frequencies", own_frequencies([](double i, double h) { return 2.0 * i / h; },
                                            [](double i, double h) { return (2.0 * i + 1.0) / h; })},
        {"own_frequencies", own_frequencies([](double i, double h) { return 0.5 * i / h; },
                                            [](double i, double h) { return 0.5 * (i + h) / h; })},
        {"own_frequencies", own_frequencies([](double i, double h) { return i / h; },
                                            [](double i, double h) { return (i + h) / h; })},
        {"wavelengths", frequencies([](double, double w) { return 2.0 * pi / w; })},
        {"two_pi", frequencies([](double, double w) { return 2.0 * pi * w; })},
        {"degrees", frequencies([](double, double w) { return 180.0 / pi * w; })},
        {"radians", frequencies([](double, double w) { return pi / 180.0 * w; })},
        {"inv_freq_bfloat16", rounded_rates(Narrow::bfloat16)},
        {"inv_freq_float16", rounded_rates(Narrow::float16)},
        {"unscaled", unscaled},
        {"scaled_inverse", if_scaled(frequencies([](double plain, double w) { return plain * plain / w; }))},
        {"scaled_twice", if_scaled(frequencies([](double plain, double w) { return w * w / plain; }))},
        {"ramp_inverted", ramp_inverted},
        {"backwards", set_to(&Waves::sine_sign, -1.0)},
        {"bfloat16_angles", set_to(&Waves::angles, Narrow::bfloat16)},
        {"float16_angles", set_to(&Waves::angles, Narrow::float16)},
        {"bfloat16_all", all_rounded},
        {"bfloat16_all", each_step_rounded},
        {"raw_angles", set_to(&Waves::raw, true)},
        {"raw_angles", attention_factor([](double) { return 1.0; }, true)},  // of YaRN, without its factor
        {"factor_twice", attention_factor([](double wanted) { return wanted * wanted; })},
        {"factor_missing", attention_factor([](double) { return 1.0; })},
    };
    return all;
}

double Waves::angle(std::size_t pair, bool second, double position) const {
    const double at = narrowed(position + offset, positions);
    return narrowed((second && !second_rate.empty() ? second_rate[pair] : rate[pair]) * at, angles);
}

double Waves::value(double angle, bool sine) const {
    return amplitude * (raw ? angle : sine ? sine_sign * std::sin(angle) : std::cos(angle));
}

}  // namespace posiscope::measuring
