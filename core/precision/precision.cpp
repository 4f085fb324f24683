#include "core/precision/precision.hpp"

#include "core/cost.hpp"
#include "core/numeric/bits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
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
    double rounded = 0.0;
    if (std::abs(value) >= std::ldexp(1.0, format.least_exponent)) {
        // In the bits, since searches round millions of angles: half of the last digit kept, less where that is even.
        const int spare = std::numeric_limits<double>::digits - format.digits;
        auto bits = bits_as<std::uint64_t>(value);
        bits += (std::uint64_t{1} << (spare - 1)) - 1 + ((bits >> spare) & 1);
        rounded = bits_as<double>(bits >> spare << spare);
    } else {
        const int exponent = format.least_exponent - (format.digits - 1);
        rounded = std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
    }
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

// The angle of a rounded ω. The product of two rounded numbers is exact in a double: at most 48 digits.
Angle angle_at(double omega, std::int64_t position, Precision precision) {
    const double at = rounded_to(precision, static_cast<double>(position));
    return {omega, at, rounded_to(kept_in(precision), omega * at)};
}

Angle angle_of(double frequency, std::int64_t position, Precision precision) {
    return angle_at(rounded_to(precision, frequency), position, precision);
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

constexpr double kLooked = 20.0;  // units of an angle that is rounded, without its sine and cosine
constexpr double kSure = 1.0 - 1e-9;

std::int64_t after_digits(std::int64_t position) {
    return std::int64_t{1} << std::bit_width(static_cast<std::uint64_t>(position));
}

// The most that roundings cost in a run of positions with as many binary digits, whose products have one exponent.
struct Run {
    std::int64_t end;
    double position, product;  // at most, radians

    static Run from(std::int64_t first, double omega, Precision precision) {
        const Format& kept = format_of(kept_in(precision));
        const auto digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(first)));
        double end = std::ldexp(1.0, digits);
        if (!std::isfinite(omega * end))
            return {std::max(first + 1, static_cast<std::int64_t>(end)),
                    std::numeric_limits<double>::infinity(), 0.0};
        if (omega > 0.0)
            end = std::min(
                end, std::ceil(std::ldexp(1.0, std::ilogb(omega * static_cast<double>(first)) + 1) / omega));
        end = std::max(end, static_cast<double>(first) + 1.0);
        const double largest = omega * rounded_to(precision, end - 1.0);
        const int exponent = std::max(std::ilogb(largest), kept.least_exponent);
        const bool exact = significant_digits(omega) + digits <= kept.digits;
        const double gap = position_error(static_cast<std::int64_t>(end) - 1, precision);
        return {static_cast<std::int64_t>(end), std::isfinite(gap) ? gap * omega : gap,
                exact ? 0.0 : std::ldexp(1.0, exponent - kept.digits)};
    }

private:
    static int significant_digits(double value) {
        int exponent = 0;
        const auto whole = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(value), &exponent), 53));
        return whole == 0 ? 0 : static_cast<int>(std::bit_width(whole)) - std::countr_zero(whole);
    }
};

// One pair's angles in a format.
class Angles {
public:
    Angles(double frequency, Precision precision)
        : frequency_(frequency), omega_(rounded_to(precision, frequency)), precision_(precision) {}

    double error(std::int64_t position) const {
        const Angle made = angle_at(omega_, position, precision_);
        if (!std::isfinite(made.angle)) return std::numeric_limits<double>::infinity();
        const auto p = static_cast<double>(position);
        return p * (omega_ - frequency_) + (made.position - p) * omega_ +
               (made.angle - made.position * omega_);
    }
    // At most what rounding p and its product costs an angle of first … last, which have as many binary digits.
    double rounding(std::int64_t first, std::int64_t last) const {
        double most = 0.0;
        for (std::int64_t p = first; p <= last;) {
            const Run run = Run::from(p, omega_, precision_);
            most = std::max(most, run.position + run.product);
            p = run.end;
        }
        return most;
    }
    // The cost of rounding ω, radians per position.
    double drift() const { return std::abs(omega_ - frequency_); }
    // The first position of begin … end − 1 that is off by more than `bound`, or `end`.
    std::int64_t first_off(double bound, std::int64_t begin, std::int64_t end) const {
        for (std::int64_t p = begin; p < end;) {
            spend(kAngle);
            const Run run = Run::from(p, omega_, precision_);
            const std::int64_t stop = std::min(run.end, end);
            const double rounded = run.position + run.product;
            if (rounded + drift() * static_cast<double>(stop - 1) <= kSure * bound) {
                p = stop;
                continue;
            }
            // Before this one ω alone is not off enough.
            const double from = std::floor((kSure * bound - rounded) / drift());
            if (from > static_cast<double>(p)) p = static_cast<std::int64_t>(from);
            for (; p < stop; ++p) {
                spend(kLooked);
                if (off(p, bound)) return p;
                const std::int64_t last = std::min(last_alike(p), stop - 1);
                if (last > p && off(last, bound)) return bisected(p, last, bound);
                p = last;
            }
        }
        return end;
    }

private:
    bool off(std::int64_t position, double bound) const { return !(std::abs(error(position)) <= bound); }
    // The last position that the format holds as the same number.
    std::int64_t last_alike(std::int64_t position) const {
        const double half = position_error(position, precision_);
        if (half < 1.0) return position;
        const double held = rounded_to(precision_, static_cast<double>(position));
        if (!std::isfinite(held)) return position;
        const auto last = static_cast<std::int64_t>(held + half);
        return rounded_to(precision_, static_cast<double>(last)) == held ? last : last - 1;
    }
    // Between positions that are held as one number the error falls evenly.
    std::int64_t bisected(std::int64_t within, std::int64_t beyond, double bound) const {
        while (beyond - within > 1) {
            const std::int64_t middle = within + (beyond - within) / 2;
            (off(middle, bound) ? beyond : within) = middle;
        }
        return beyond;
    }

    double frequency_, omega_;
    Precision precision_;
};

// A score's error without its sines and cosines, which cost ten times as much: with the angle kω off by η, a contribution
// A cos kω + B sin kω is off by S sin η − C (1 − cos η), about S η − C η²/2.
class ScoreErrors {
public:
    ScoreErrors(const ScoreForm& form, const Spectrum& spectrum, std::int64_t offset, Precision precision)
        : offset_(offset) {
        const double stored = std::ldexp(4.0, -format_of(kept_in(precision)).digits);
        for (std::size_t i = 0; i < form.even.size(); ++i) {
            const Turn turn = phase(spectrum.step[i], offset);
            const double size =
                form.scale *
                (form.growth.empty() ? 1.0 : std::exp(form.growth[i] * static_cast<double>(offset)));
            const double even = size * form.even[i], odd = size * form.odd[i];
            pairs_.push_back({Angles(spectrum.frequency[i], precision), odd * cos(turn) - even * sin(turn),
                              even * cos(turn) + odd * sin(turn), std::abs(even) + std::abs(odd)});
            stored_ += stored * pairs_.back().size;
        }
    }
    // False only where the score of p + offset and p is surely within `bound`.
    bool may_be_off(std::int64_t p, double bound) const {
        double sum = 0.0, slack = stored_;
        for (const Pair& one : pairs_) {
            const double turned = one.angles.error(p + offset_) - one.angles.error(p),
                         square = turned * turned;
            sum += turned * one.sine - 0.5 * square * one.cosine;
            slack += one.size * square * (std::abs(turned) / 6.0 + square / 24.0);
        }
        return !(std::abs(sum) + slack <= kSure * bound);
    }
    // False only where that is so of every position with as many binary digits as first … last and these moved by the offset.
    bool may_be_off(std::int64_t first, std::int64_t last, double bound) const {
        double most = stored_;
        for (const Pair& one : pairs_)
            most += one.size * std::min(2.0, one.angles.drift() * std::abs(static_cast<double>(offset_)) +
                                                 one.angles.rounding(first, last) +
                                                 one.angles.rounding(first + offset_, last + offset_));
        return !(most <= kSure * bound);
    }
    double units() const { return 2.0 * kLooked * static_cast<double>(pairs_.size()); }

private:
    struct Pair {
        Angles angles;
        double sine, cosine, size;
    };
    std::vector<Pair> pairs_;
    std::int64_t offset_;
    double stored_ = 0.0;
};

}  // namespace

std::optional<PairOff> first_pair_off(const Spectrum& spectrum, Precision precision, double bound) {
    std::vector<Angles> pairs;
    for (const double frequency : spectrum.frequency) pairs.emplace_back(frequency, precision);
    // All pairs up to some position, then further: a pair that is off late is not searched to its own end.
    PairOff off{0, 1};
    for (std::int64_t begin = 1, found = 1; begin <= kLastPosition; begin = found) {
        const std::int64_t end = std::min(begin + begin / 8 + 16, kLastPosition + 1);
        found = end;
        for (const Angles& pair : pairs) found = pair.first_off(bound, begin, found);
        off.position = found;
        if (found < end) break;
    }
    if (off.position > kLastPosition) return std::nullopt;
    double most = bound;
    for (std::size_t i = 0; i < spectrum.pairs(); ++i) {
        spend(kLooked);
        const double error = std::abs(pairs[i].error(off.position));
        if (!(error <= most)) most = error, off.pair = i;
    }
    return off;
}

ScoreOff first_score_off(const ScoreForm& form, const Spectrum& spectrum, std::int64_t offset,
                         Precision precision, double bound, double most) {
    spend(kAngle * static_cast<double>(form.even.size()));
    const ScoreErrors errors(form, spectrum, offset, precision);
    const double exact = score_at(form, spectrum, offset);
    const std::int64_t last = kLastPosition - std::max<std::int64_t>(offset, 0);
    double units = 0.0;
    for (std::int64_t p = std::max<std::int64_t>(-offset, 0); p <= last;) {
        // These positions, and those moved by the offset, all have as many digits.
        const std::int64_t end = std::min({after_digits(p), after_digits(p + offset) - offset, last + 1});
        spend(10.0 * errors.units());
        if (!errors.may_be_off(p, end - 1, bound)) {
            p = end;
            continue;
        }
        for (; p < end; ++p) {
            if (units > most) return {std::nullopt, p - 1};
            units += errors.units();
            spend(errors.units());
            if (errors.may_be_off(p, bound) &&
                !(std::abs(score_in(form, spectrum, p + offset, p, precision) - exact) <= bound))
                return {p, p};
        }
    }
    return {std::nullopt, kLastPosition};
}

std::vector<double> shifted_errors(const Spectrum& spectrum, Precision precision, std::int64_t offset,
                                   std::size_t count) {
    std::vector<double> errors(count, 0.0);
    const auto rounded = [precision](double value) { return rounded_to(precision, value); };
    for (std::size_t i = 0; i < spectrum.pairs(); ++i) {
        const Turn step = phase(spectrum.step[i], offset);
        const double c = rounded(cos(step)), s = rounded(sin(step));
        double x = 1.0, y = 0.0;
        Turn turned{};
        for (std::size_t n = 1; n < count; ++n) {
            if (n % 64 == 1) spend(6400.0);
            const double moved = rounded(rounded(x * c) - rounded(y * s));
            y = rounded(rounded(x * s) + rounded(y * c));
            x = moved;
            turned = {turned.fraction + step.fraction};
            errors[n] = std::max(errors[n], std::hypot(x - cos(turned), y - sin(turned)));
        }
    }
    return errors;
}

}  // namespace posiscope
