#include "core/precision/precision.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

struct Format {
    std::string_view name;
    int digits;          // of the significand, the hidden one included
    int least_exponent;  // of a normal number
    double largest;
};

constexpr double kLargest32 = 0x1.fffffep127;
constexpr double kAngle = 100.0;  // units of an angle and its sine and cosine, rounded

const Format& format_of(Precision precision) {
    static constexpr std::array<Format, 4> formats = {{{"float32", 24, -126, kLargest32},
                                                       {"tf32", 11, -126, 0x1.ffcp127},
                                                       {"bfloat16", 8, -126, 0x1.fep127},
                                                       {"float16", 11, -14, 65504.0}}};
    return formats[static_cast<std::size_t>(precision)];
}

double rounded_as(const Format& format, double value) {
    if (value == 0.0 || !std::isfinite(value)) return value;
    const int exponent = std::max(std::ilogb(value), format.least_exponent) - (format.digits - 1);
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
    return std::abs(rounded) > format.largest ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                              : rounded;
}

// The format in which a program keeps results: tf32 is a format of inputs alone.
Precision kept_in(Precision precision) {
    return precision == Precision::tf32 ? Precision::float32 : precision;
}

struct Angle {
    double frequency, position, angle;
};

// The product of two rounded numbers is exact in a double: at most 48 digits.
Angle angle_of(double frequency, std::int64_t position, Precision precision) {
    const double omega = rounded_to(precision, frequency);
    const double at = rounded_to(precision, static_cast<double>(position));
    return {omega, at, rounded_to(kept_in(precision), omega * at)};
}

}  // namespace

std::span<const Precision> precisions() {
    static constexpr std::array all = {Precision::float32, Precision::tf32, Precision::bfloat16,
                                       Precision::float16};
    return all;
}

std::string_view precision_name(Precision precision) { return format_of(precision).name; }

double rounded_to(Precision precision, double value) { return rounded_as(format_of(precision), value); }

PhaseError phase_error(double frequency, std::int64_t position, Precision precision) {
    spend(kAngle);
    const auto p = static_cast<double>(position);
    const Angle made = angle_of(frequency, position, precision);
    PhaseError error;
    error.inverse_frequency = p * (made.frequency - frequency);
    error.position = made.frequency == 0.0 ? 0.0 : (made.position - p) * made.frequency;
    if (!std::isfinite(made.angle)) {
        error.product = std::numeric_limits<double>::infinity();
        error.value = 1.0;
        return error;
    }
    error.product = made.angle - made.position * made.frequency;
    const Precision kept = kept_in(precision);
    const double sine = std::sin(made.angle), cosine = std::cos(made.angle);
    error.value =
        std::max(std::abs(rounded_to(kept, sine) - sine), std::abs(rounded_to(kept, cosine) - cosine));
    return error;
}

double rounded_angle(double frequency, std::int64_t position, Precision precision) {
    return angle_of(frequency, position, precision).angle;
}

double position_error(std::int64_t position, Precision precision) {
    const Format& format = format_of(precision);
    if (position <= 0) return 0.0;
    const int spare = std::ilogb(static_cast<double>(position)) - (format.digits - 1);
    if (rounded_as(format, static_cast<double>(position)) > format.largest)
        return std::numeric_limits<double>::infinity();
    return spare > 0 ? std::ldexp(1.0, spare - 1) : 0.0;
}

RoundedPoint rounded_point(double frequency, std::int64_t position, Precision precision) {
    spend(kAngle);
    const double angle = rounded_angle(frequency, position, precision);
    const Precision kept = kept_in(precision);
    return {rounded_to(kept, std::sin(angle)), rounded_to(kept, std::cos(angle))};
}

double table_error(const Spectrum& spectrum, std::int64_t position, Precision precision) {
    double most = 0.0;
    for (std::size_t i = 0; i < spectrum.pairs(); ++i) {
        const RoundedPoint point = rounded_point(spectrum.frequency[i], position, precision);
        const Turn turn = phase(spectrum.step[i], position);
        const double error = std::max(std::abs(point.sine - sin(turn)), std::abs(point.cosine - cos(turn)));
        if (std::isnan(error)) return std::numeric_limits<double>::infinity();
        most = std::max(most, error);
    }
    return most;
}

double first_position_beyond(double frequency, Precision precision, double bound) {
    const double unit = std::ldexp(1.0, -format_of(precision).digits);
    const double held = std::ldexp(1.0, format_of(precision).digits);  // every position up to here is exact
    int exponent = 0;
    const bool power = std::frexp(frequency, &exponent) == 0.5;
    const double own_unit = rounded_to(precision, frequency) == frequency ? 0.0 : unit;
    const double product_unit = power ? 0.0 : std::ldexp(1.0, -format_of(kept_in(precision)).digits);
    const double while_held = bound / (frequency * (own_unit + product_unit));
    return while_held <= held ? while_held
                              : std::max(held, bound / (frequency * (own_unit + unit + product_unit)));
}

double score_in(const ScoreForm& form, const Spectrum& spectrum, std::int64_t query, std::int64_t key,
                Precision precision) {
    double sum = form.scale * form.constant;
    for (std::size_t i = 0; i < form.even.size(); ++i)
        sum += share_in(form, spectrum, i, query, key, precision);
    return sum;
}

double share_in(const ScoreForm& form, const Spectrum& spectrum, std::size_t pair, std::int64_t query,
                std::int64_t key, Precision precision) {
    const RoundedPoint q = rounded_point(spectrum.frequency[pair], query, precision);
    const RoundedPoint k = rounded_point(spectrum.frequency[pair], key, precision);
    const double size =
        form.growth.empty() ? 1.0 : std::exp(form.growth[pair] * static_cast<double>(query - key));
    return form.scale * size *
           (form.even[pair] * (q.cosine * k.cosine + q.sine * k.sine) +
            form.odd[pair] * (q.sine * k.cosine - q.cosine * k.sine));
}

namespace {

// 1, 1, 2, 2, 3, 3, 4, 5, … 2^31 − 1
constexpr int kLastThird = 93;
std::int64_t third(int n) { return std::min<std::int64_t>(std::llround(std::exp2(n / 3.0)), kLastPosition); }

}  // namespace

std::optional<PairOff> first_pair_off(const Spectrum& spectrum, Precision precision, double bound) {
    for (int n = 0; n <= kLastThird; ++n) {
        PairOff off{0, third(n)};
        double most = bound;
        for (std::size_t i = 0; i < spectrum.pairs(); ++i) {
            const double error =
                std::abs(phase_error(spectrum.frequency[i], off.position, precision).total());
            if (!(error <= most)) most = error, off.pair = i;
        }
        if (!(most <= bound)) return off;
    }
    return std::nullopt;
}

std::optional<std::int64_t> first_score_off(const ScoreForm& form, const Spectrum& spectrum,
                                            std::int64_t offset, Precision precision, double bound) {
    const double exact = score_at(form, spectrum, offset);
    for (int n = 0; n <= kLastThird; ++n) {
        const std::int64_t p = third(n);
        if (p + offset < 0 || p + offset > kLastPosition) continue;
        const double off = std::abs(score_in(form, spectrum, p + offset, p, precision) - exact);
        if (!(off <= bound)) return p;
    }
    return std::nullopt;
}

}  // namespace posiscope
