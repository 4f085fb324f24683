#include "core/measure/rounding.hpp"

#include "core/precision/precision.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace posiscope::measuring {
namespace {

constexpr int kMostUnits = 16;      // of float32, that a library's pow, exp or exp2 may be off
constexpr double kFast = 0x1p-21;   // __cosf and the like
constexpr double kCosine = 1.2e-7;  // a unit of float32 about 1: cos, and its product with a factor

bool all_fit(std::span<const double> values, Narrow type) {
    return std::ranges::all_of(
        values, [&](double value) { return !std::isfinite(value) || narrowed(value, type) == value; });
}

float moved(float value, int units) {
    for (int i = 0; i < std::abs(units); ++i) value = std::nextafter(value, units > 0 ? HUGE_VALF : 0.0F);
    return value;
}

double of_angle(const Sample& sample, double angle, double amplitude) {
    return amplitude * sample.sign * (sample.sine ? std::sin(angle) : std::cos(angle));
}

// True if all samples fit at these angles; `largest` grows with each.
template <class Angle>
bool all_at(std::span<const Sample> samples, double amplitude, const Precision& precision, double more,
            Angle angle, double& largest) {
    for (const Sample& sample : samples) {
        const double wanted = of_angle(sample, angle(sample.position), amplitude);
        const double off = std::abs(sample.value - wanted);
        if (std::isnan(wanted) && std::isnan(sample.value)) continue;  // of a position that overflowed
        if (!(off <= allowance(wanted, amplitude, precision) + more)) return false;
        largest = std::max(largest, off);
    }
    return true;
}

}  // namespace

double Precision::half_unit(double value) const {
    if (name == "decimal") return absolute;
    int exponent = 0;
    std::frexp(value, &exponent);
    const double unit = std::ldexp(relative, exponent - 1);
    return std::max(unit, name == "float16" ? 0x1p-25 : 1e-300) * 1.0001;
}

Precision precision_of(const StoredTensor& dump) {
    if (constexpr std::string_view kDecimal = "decimal("; dump.dtype.starts_with(kDecimal)) {
        const double unit = std::pow(10.0, -std::atof(dump.dtype.c_str() + kDecimal.size()));
        return {"decimal", 0x1p-53, 0.5001 * unit};
    }
    const std::span<const double> some(dump.values.data(), std::min<std::size_t>(dump.values.size(), 200000));
    if (all_fit(some, Narrow::bfloat16)) return {"bfloat16", 0x1p-8, 1e-30};
    if (all_fit(some, Narrow::float16)) return {"float16", 0x1p-11, 0x1p-25};
    // A few numbers of a wider type do not make it one.
    const auto single = std::ranges::count_if(
        some, [](double x) { return static_cast<double>(static_cast<float>(x)) == x || std::isnan(x); });
    if (static_cast<double>(single) >= 0.98 * static_cast<double>(some.size()))
        return {"float32", 0x1p-24, 1e-30};
    return {"float64", 0x1p-53, 1e-300};
}

std::string_view name_of(Narrow type) {
    return type == Narrow::bfloat16 ? "bfloat16" : type == Narrow::float16 ? "float16" : "float32";
}

double narrowed(double value, Narrow type) {
    if (type == Narrow::none) return value;
    return rounded_to(
        type == Narrow::bfloat16 ? posiscope::Precision::bfloat16 : posiscope::Precision::float16, value);
}

std::string_view name_of(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::exact: return "exact";
        case Arithmetic::single: return "single";
        case Arithmetic::quotient: return "quotient";
        case Arithmetic::power: return "power";
        case Arithmetic::successive: return "successive";
        case Arithmetic::fast: return "fast";
    }
    return "";
}

double allowance(double value, double amplitude, const Precision& precision) {
    const double cosine = precision.name == "float64" ? 1e-15 : kCosine;
    return precision.half_unit(std::max(std::abs(value), 1e-30)) + cosine * std::abs(amplitude);
}

Proved proved(std::span<const Sample> samples, double rate, double amplitude, const Narrowing& narrowing,
              const Precision& precision) {
    Proved made;
    const auto fits = [&](Arithmetic arithmetic, double more, auto angle) {
        double largest = 0.0;
        if (!all_at(samples, amplitude, precision, more, angle, largest)) return false;
        made = {true, arithmetic, largest};
        return true;
    };
    if (narrowing.any()) {
        const double rounded_rate = narrowed(rate, narrowing.rates);
        fits(Arithmetic::exact, 0.0, [&](double p) {
            return narrowed(narrowed(p, narrowing.positions) * rounded_rate, narrowing.angles);
        });
        for (int n = 0; n <= 2 * kMostUnits && !made.fits; ++n) {
            const float single = moved(static_cast<float>(rate), n % 2 == 0 ? n / 2 : -(n + 1) / 2);
            const auto own = static_cast<float>(narrowed(static_cast<double>(single), narrowing.rates));
            fits(Arithmetic::single, 0.0, [&](double p) {
                const auto at = static_cast<float>(narrowed(p, narrowing.positions));
                return narrowed(static_cast<double>(at * own), narrowing.angles);
            });
        }
        return made;
    }
    Precision wide = precision;
    if (precision.name == "float64") {
        double most = 0.0;
        for (const Sample& sample : samples) most = std::max(most, std::abs(sample.position));
        if (fits(Arithmetic::exact, 0x1p-48 * most * rate, [&](double p) { return p * rate; })) return made;
        wide = {"float64 of float32", 0x1p-24, 0.0};
    } else if (fits(Arithmetic::exact, 0.0, [&](double p) { return p * rate; })) {
        return made;
    }
    const auto near = static_cast<float>(rate);
    for (const double more : {0.0, kFast * std::abs(amplitude)})
        for (int n = 0; n <= 2 * kMostUnits; ++n) {
            const int units = n % 2 == 0 ? n / 2 : -(n + 1) / 2;
            const float own = moved(near, units);
            double largest = 0.0;
            if (all_at(
                    samples, amplitude, wide, more,
                    [&](double p) { return static_cast<double>(static_cast<float>(p) * own); }, largest)) {
                made = {true, more > 0.0 ? Arithmetic::fast : Arithmetic::single, largest};
                return made;
            }
            const float power = moved(1.0F / near, units);
            largest = 0.0;
            if (more == 0.0 && n <= kMostUnits &&
                all_at(
                    samples, amplitude, wide, 0.0,
                    [&](double p) { return static_cast<double>(static_cast<float>(p) / power); }, largest)) {
                made = {true, Arithmetic::quotient, largest};
                return made;
            }
        }
    return made;
}

std::vector<double> successive_angles(double position, double factor, int units,
                                      std::span<const double> divisors) {
    const float step = moved(static_cast<float>(factor), units);
    std::vector<double> angles;
    auto angle = static_cast<float>(position);
    for (const double divisor : divisors) {
        angles.push_back(static_cast<double>(angle / static_cast<float>(divisor)));
        angle *= step;
    }
    return angles;
}

}  // namespace posiscope::measuring
