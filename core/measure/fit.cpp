#include "core/measure/fit.hpp"

#include "core/measure/show.hpp"
#include "core/scaling/frequency_laws.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

namespace posiscope::measuring {
namespace {

constexpr double kSingleRate = 2.5e-6;  // relative, by which float32 arithmetic may be off

// `value` with as few digits as it agrees with within its uncertainty: 489999.7 ± 3 is 490000.
double rounded_within(double value, double off) {
    if (!(value > 0.0)) return value;
    for (const double one : rounder_than(value))
        if (std::abs(one - value) <= off) return one;
    return value;
}

// y = a + b x by weighted least squares, and how far b may be off.
struct Line {
    double at_zero = 0.0, slope = 0.0, slope_off = HUGE_VAL, zero_off = HUGE_VAL;
};
struct Dot {
    double x, y, off;
};
std::optional<Line> line_through(std::span<const Dot> dots, bool through_zero = false) {
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Dot& d : dots) {
        const double weight = 1.0 / std::max(d.off * d.off, 1e-24);
        w += weight, x += weight * d.x, y += weight * d.y, xx += weight * d.x * d.x, xy += weight * d.x * d.y;
    }
    if (through_zero)
        return xx > 0.0 ? std::optional(Line{0.0, xy / xx, 1.0 / std::sqrt(xx), 0.0}) : std::nullopt;
    const double det = w * xx - x * x;
    if (!(det > 1e-12 * w * xx)) return std::nullopt;
    const double slope = (w * xy - x * y) / det;
    return Line{(y - slope * x) / w, slope, std::sqrt(w / det), std::sqrt(xx / det)};
}

std::vector<Dot> logarithms(std::span<const Rate> rates) {
    std::vector<Dot> dots;
    for (std::size_t i = 0; i < rates.size(); ++i)
        if (rates[i].value > 0.0 && rates[i].off < 0.3 * rates[i].value)
            dots.push_back({static_cast<double>(i), -std::log(rates[i].value),
                            rates[i].off / rates[i].value + kSingleRate / 4.0});
    return dots;
}

// The whole of what is tried for one reference.
class Fit {
public:
    Fit(const Reference& reference, std::span<const Rate> rates) : r_(reference), rates_(rates) {
        pairs_ = static_cast<std::int64_t>(rates.size());
        if (r_.settings) {
            const Json& s = r_.settings->chosen.settings;
            factor_ = number(s, "factor")
                          .value_or(r_.longest > 0 && r_.original > 0
                                        ? static_cast<double>(r_.longest) / static_cast<double>(r_.original)
                                        : 1.0);
            fast_ = number(s, "beta_fast").value_or(32.0), slow_ = number(s, "beta_slow").value_or(1.0);
            if (fast_ == 0.0) fast_ = 32.0;
            if (slow_ == 0.0) slow_ = 1.0;
            if (const auto t = s.find("truncate"); t != s.end() && t->is_boolean())
                truncate_ = t->get<bool>();
            low_ = number(s, "low_freq_factor").value_or(1.0),
            high_ = number(s, "high_freq_factor").value_or(4.0);
        }
    }

    std::vector<Explanation> all() {
        if (pairs_ == r_.pairs()) {
            add(r_.frequency, std::vector<Problem>{});
            if (!made_.empty()) return std::move(made_);
            if (r_.scaled()) scaled();
            rounded();
            constant();
            permuted();
            some();
        }
        if (pairs_ < r_.pairs()) {
            ProblemValues widths = {{"found", text(pairs_)},
                                    {"wanted", text(r_.pairs())},
                                    {"first", text(r_.pairs() - pairs_)},
                                    {"last", text(r_.pairs() - 1)}};
            const bool still = std::all_of(r_.frequency.begin() + static_cast<std::ptrdiff_t>(pairs_),
                                           r_.frequency.end(), [](double w) { return w == 0.0; });
            if (add({r_.frequency.begin(), r_.frequency.begin() + static_cast<std::ptrdiff_t>(pairs_)},
                    still ? "zeros_left_out" : "width", widths))
                return std::move(made_);
            if (add({r_.frequency.end() - static_cast<std::ptrdiff_t>(pairs_), r_.frequency.end()}, "shard",
                    widths))
                return std::move(made_);
        }
        other_base();
        return std::move(made_);
    }

private:
    static std::optional<double> number(const Json& s, const char* key) {
        const auto found = s.find(key);
        return found != s.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
    }

    // `why` explains all of the rates, or is dropped.
    bool add(std::vector<double> frequency, std::vector<Problem> why) {
        if (frequency.size() != rates_.size() || !agree(frequency, rates_)) return false;
        made_.push_back({std::move(frequency), std::move(why)});
        return true;
    }
    bool add(std::vector<double> frequency, std::string key, ProblemValues values = {}) {
        return add(std::move(frequency),
                   std::vector{Problem{"measured." + std::move(key), std::move(values)}});
    }
    template <class Make>
    std::vector<double> each(Make make) const {
        std::vector<double> made;
        for (std::int64_t i = 0; i < pairs_; ++i) made.push_back(make(i));
        return made;
    }
    double plain(std::int64_t i) const { return r_.unscaled[static_cast<std::size_t>(i)]; }

    // ---- scalings ---------------------------------------------------------------------------------------------------

    void scaled() {
        if (add(r_.unscaled, "unscaled", {{"method", std::string(r_.method())}})) return;
        const std::string_view method = r_.method();
        if (method == "yarn") yarn();
        if (method == "llama3") llama3();
        if (method == "longrope") longrope();
        if (method == "linear" || method == "yarn" || method == "llama3" || method == "dynamic" ||
            method == "ntk")
            divided();
        if (method != "longrope") multiplied();
    }

    // The one number that rates from pair `first` on are times as fast, by the pairs that agree with most of them: fast ones may
    // have been folded.
    struct Ratio {
        double value = 0.0, off = 0.0;
        double rounded() const {
            return value >= 1.0 ? rounded_within(value, off)
                                : 1.0 / rounded_within(1.0 / value, off / (value * value));
        }
    };
    std::optional<Ratio> ratio_to(std::span<const double> frequency, std::size_t first = 0) const {
        std::vector<Dot> dots;
        for (std::size_t i = first; i < rates_.size(); ++i)
            if (rates_[i].off < rates_[i].value && frequency[i] > 0.0)
                dots.push_back({1.0, std::log(rates_[i].value / frequency[i]),
                                rates_[i].off / rates_[i].value + kSingleRate});
        if (dots.empty()) return std::nullopt;
        const auto middle = dots.begin() + static_cast<std::ptrdiff_t>(dots.size() / 2);
        std::nth_element(dots.begin(), middle, dots.end(),
                         [](const Dot& a, const Dot& b) { return a.y < b.y; });
        std::erase_if(dots, [y = middle->y](const Dot& d) { return std::abs(d.y - y) > 4.0 * d.off + 1e-3; });
        const auto fit = line_through(dots, true);
        if (!fit) return std::nullopt;
        const double value = std::exp(fit->slope);
        return Ratio{value, value * (4.0 * fit->slope_off + 1e-6)};
    }

    // Every frequency divided by one number: linear scaling.
    void divided() {
        const auto ratio = ratio_to(r_.unscaled);
        if (!ratio) return;
        const double by = 1.0 / ratio->rounded();
        const auto slowed = each([&](auto i) { return plain(i) / by; });
        if (r_.method() == "linear") add(slowed, "factor", {{"found", text(by)}, {"wanted", text(factor_)}});
        else if (by > 1.0)
            add(slowed, "linear", {{"factor", text(by)}, {"method", std::string(r_.method())}});
    }

    // Divided where it should be multiplied, or twice.
    void multiplied() {
        add(each([&](auto i) { return plain(i) * plain(i) / r_.frequency[static_cast<std::size_t>(i)]; }),
            "inverse");
        add(each([&](auto i) {
                return r_.frequency[static_cast<std::size_t>(i)] * r_.frequency[static_cast<std::size_t>(i)] /
                       plain(i);
            }),
            "scaled_twice");
    }

    std::vector<double> kept_of(const PairRange& range) const {
        return each([&](auto i) { return kept_by_pair(range, static_cast<double>(i)); });
    }
    std::vector<double> blended(const std::vector<double>& kept, double factor) const {
        return each([&](auto i) {
            const double k = kept[static_cast<std::size_t>(i)];
            return plain(i) / factor * (1.0 - k) + plain(i) * k;
        });
    }
    PairRange range_of(double fast, double slow, double original, bool truncate) const {
        return correction_range(fast, slow, r_.settings->context.rotary_dim, r_.base, original, truncate);
    }
    // c(n): the pair that makes n turns in L positions; and L of a pair.
    double pair_with(double turns, double original) const {
        return static_cast<double>(pairs_) * std::log(original / (turns * 2.0 * std::numbers::pi)) /
               std::log(r_.base);
    }
    double length_with(double turns, double pair) const {
        return turns * 2.0 * std::numbers::pi *
               std::exp(pair * std::log(r_.base) / static_cast<double>(pairs_));
    }

    void yarn() {
        const auto original = static_cast<double>(r_.original);
        const PairRange range = range_of(fast_, slow_, original, truncate_);
        const std::vector<double> kept = kept_of(range);
        const std::string ends = fmt::format("{:.6g} … {:.6g}", range.low, range.high);
        const auto ramp = [&](const PairRange& other, double factor, const char* key, ProblemValues values) {
            values.push_back({"ends", fmt::format("{:.6g} … {:.6g}", other.low, other.high)});
            values.push_back({"wanted_ends", ends});
            return add(blended(kept_of(other), factor), key, std::move(values));
        };
        // The factor, from the pairs that the ramp slows.
        if (const auto factor = slowed_by(kept))
            if (add(blended(kept, *factor), "factor", {{"found", text(*factor)}, {"wanted", text(factor_)}}))
                return;
        std::vector<double> reversed = kept;
        for (double& k : reversed) k = 1.0 - k;
        if (add(blended(reversed, factor_), "ramp_upside_down")) return;
        {
            // Exchanged betas put the ends the other way round.
            const PairRange other = range_of(slow_, fast_, original, truncate_);
            const double width = other.low == other.high ? 0.001 : other.high - other.low;
            const auto swapped = each([&](auto i) {
                return 1.0 - std::clamp((static_cast<double>(i) - other.low) / width, 0.0, 1.0);
            });
            if (add(blended(swapped, factor_), "betas_exchanged",
                    {{"fast", text(slow_)}, {"slow", text(fast_)}}))
                return;
        }
        if (ramp(range_of(fast_, slow_, original, !truncate_), factor_,
                 truncate_ ? "ramp_not_rounded" : "ramp_rounded", {}))
            return;
        for (const double half : {static_cast<double>(pairs_) - 1.0, static_cast<double>(pairs_)})
            if (range.high > half && ramp({range.low, half}, factor_, "ramp_clamped",
                                          {{"end", text(half)}, {"pairs", text(pairs_)}}))
                return;
        if (r_.longest > 0 && r_.longest != r_.original)
            if (ramp(range_of(fast_, slow_, static_cast<double>(r_.longest), truncate_), factor_,
                     "original_longest", {{"found", text(r_.longest)}, {"wanted", text(r_.original)}}))
                return;
        // The slowed part of the wrong base.
        const double power = factor_ * r_.base;
        const auto other_part = [&](double slow_base, double kept_base, double divisor) {
            return each([&](auto i) {
                const double k = kept[static_cast<std::size_t>(i)],
                             x = -static_cast<double>(i) / static_cast<double>(pairs_);
                return std::pow(slow_base, x) / divisor * (1.0 - k) + std::pow(kept_base, x) * k;
            });
        };
        if (add(other_part(power, r_.base, 1.0), "factor_inside", {{"base", text(power)}})) return;
        const double ntk =
            r_.base * std::pow(factor_, static_cast<double>(pairs_) / static_cast<double>(pairs_ - 1));
        if (add(other_part(r_.base, ntk, factor_), "kept_from_ntk",
                {{"base", fmt::format("{:.9g}", ntk)}, {"wanted", text(r_.base)}}))
            return;
        measured_ramp(range, original);
    }

    // The factor of slowed pairs, if they agree on one.
    std::optional<double> slowed_by(std::span<const double> kept) const {
        std::vector<Dot> dots;
        for (std::size_t i = 0; i < rates_.size(); ++i)
            if (kept[i] < 0.999 && std::isfinite(rates_[i].off))
                dots.push_back({1.0 - kept[i], rates_[i].value / r_.unscaled[i] - kept[i],
                                rates_[i].off / r_.unscaled[i] + kSingleRate});
        const auto fit = line_through(dots, true);
        if (!fit || !(fit->slope > 0.0)) return std::nullopt;
        const double factor = 1.0 / fit->slope;
        return rounded_within(factor, factor * (4.0 * fit->slope_off / fit->slope + 1e-5));
    }

    // The kept part of each pair between the ends of a ramp, at x(pair).
    template <class X>
    std::vector<Dot> kept_parts(X x) const {
        std::vector<Dot> dots;
        for (std::int64_t i = 0; i < pairs_; ++i) {
            const Rate& rate = rates_[static_cast<std::size_t>(i)];
            const double scale = 1.0 - 1.0 / factor_, k = (rate.value / plain(i) - 1.0 / factor_) / scale;
            const double off = (rate.off / plain(i) + kSingleRate) / scale;
            if (off < 0.05 && k > 4.0 * off && k < 1.0 - 4.0 * off) dots.push_back({x(i), k, off});
        }
        return dots;
    }

    // The kept part of each pair: its ends by a straight line, and which betas or length they come from.
    void measured_ramp(const PairRange& wanted, double original) {
        const auto dots = kept_parts([](auto i) { return static_cast<double>(i); });
        const auto fit = line_through(dots);
        if (!fit || fit->slope == 0.0) return;
        double low = (1.0 - fit->at_zero) / fit->slope, high = -fit->at_zero / fit->slope;
        if (std::abs(low - std::round(low)) < 0.02 && std::abs(high - std::round(high)) < 0.02)
            low = std::round(low), high = std::round(high);
        if (!(high > low)) return;
        const std::string found = fmt::format("{:.5g} … {:.5g}", low, high),
                          right = fmt::format("{:.5g} … {:.5g}", wanted.low, wanted.high);
        const auto try_range = [&](const PairRange& range, const char* key, ProblemValues values) {
            if (std::abs(range.low - low) > 0.02 || std::abs(range.high - high) > 0.02) return false;
            values.push_back({"ends", found});
            values.push_back({"wanted_ends", right});
            return add(blended(kept_of(range), factor_), key, std::move(values));
        };
        for (const bool truncate : {truncate_, !truncate_}) {
            for (double length = 256; length <= 1 << 24; length *= 2)
                if (try_range(range_of(fast_, slow_, length, truncate), "original",
                              {{"found", text(length)}, {"wanted", text(original)}}))
                    return;
            for (const double fast :
                 {1.0, 2.0, 4.0, 8.0, 10.0, 16.0, 20.0, 24.0, 32.0, 40.0, 48.0, 64.0, 128.0, 256.0})
                for (const double slow : {0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 16.0})
                    if (fast > slow && try_range(range_of(fast, slow, original, truncate), "betas",
                                                 {{"fast", text(fast)},
                                                  {"slow", text(slow)},
                                                  {"wanted_fast", text(fast_)},
                                                  {"wanted_slow", text(slow_)}}))
                        return;
        }
        add(blended(kept_of({low, high}), factor_), "ramp", {{"ends", found}, {"wanted_ends", right}});
    }

    void llama3() {
        const auto original = static_cast<double>(r_.original);
        const auto kept = [&](double length, double low, double high) {
            return each([&](auto i) { return kept_by_rotations(plain(i), length, low, high); });
        };
        const std::vector<double> wanted = kept(original, low_, high_);
        if (const auto factor = slowed_by(wanted))
            if (add(blended(wanted, *factor), "factor",
                    {{"found", text(*factor)}, {"wanted", text(factor_)}}))
                return;
        if (r_.longest > 0 &&
            add(blended(kept(static_cast<double>(r_.longest), low_, high_), factor_), "original_longest",
                {{"found", text(r_.longest)},
                 {"wanted", text(r_.original)},
                 {"ends", ""},
                 {"wanted_ends", ""}}))
            return;
        // Between the ends, none, the one or the other.
        const auto turns = [&](auto i) { return original * plain(i) / (2.0 * std::numbers::pi); };
        for (const double edge : {low_, high_}) {
            const bool kept_there = edge == low_;
            if (add(blended(each([&](auto i) { return turns(i) >= edge ? 1.0 : 0.0; }), factor_),
                    "not_blended",
                    {{"low", text(low_)}, {"high", text(high_)}, {"kept", kept_there ? "1" : "0"}}))
                return;
        }
        // Low taken for high: comparisons of wavelengths with exchanged bounds.
        const auto exchanged = each([&](auto i) {
            const double n = turns(i);
            return n > low_ ? 1.0 : n < high_ ? 0.0 : (n - high_) / (low_ - high_);
        });
        if (add(blended(exchanged, factor_), "bands_exchanged", {{"low", text(high_)}, {"high", text(low_)}}))
            return;
        for (const bool upside_down : {false, true})
            for (const bool by_wave : {false, true}) {
                const auto part = each([&](auto i) {
                    const double n = turns(i);
                    if (n < low_) return 0.0;
                    if (n >= high_) return 1.0;
                    const double wave = 1.0 / n, from = 1.0 / low_, to = 1.0 / high_;
                    const double k = by_wave ? (from - wave) / (from - to) : (n - low_) / (high_ - low_);
                    return upside_down ? 1.0 - k : k;
                });
                if (add(blended(part, factor_), by_wave ? "blended_in_wavelength" : "blend_upside_down"))
                    return;
                // Blended wavelengths.
                const auto waves = each([&](auto i) {
                    const double k = part[static_cast<std::size_t>(i)];
                    return plain(i) / (k + (1.0 - k) * factor_);
                });
                if (add(waves, "blended_in_wavelength")) return;
            }
        // A straight line in the turns has other ends.
        const auto dots = kept_parts([&](auto i) { return plain(i) / (2.0 * std::numbers::pi); });
        const auto fit = line_through(dots);
        if (!fit || !(fit->slope > 0.0)) return;
        const double length = rounded_within(fit->slope * (high_ - low_), fit->slope * (high_ - low_) * 1e-3);
        if (add(blended(kept(length, low_, high_), factor_), "original",
                {{"found", text(length)}, {"wanted", text(original)}, {"ends", ""}, {"wanted_ends", ""}}))
            return;
        const double gap = original / fit->slope;
        const double low = rounded_within(-fit->at_zero * gap, 1e-3), high = rounded_within(low + gap, 1e-3);
        if (low > 0.0 && high > low)
            add(blended(kept(original, low, high), factor_), "bands",
                {{"low", text(low)},
                 {"high", text(high)},
                 {"wanted_low", text(low_)},
                 {"wanted_high", text(high_)}});
    }

    void longrope() {
        add(each([&](auto i) { return plain(i) * plain(i) / r_.frequency[static_cast<std::size_t>(i)]; }),
            "list_multiplied", {{"list", r_.list}});
    }

    // ---- all pairs together -----------------------------------------------------------------------------------------

    // Every angle times one number.
    void constant() {
        const auto times = [&](double factor) {
            return each([&](auto i) { return factor * r_.frequency[static_cast<std::size_t>(i)]; });
        };
        if (add(times(2.0 * std::numbers::pi), "two_pi") || add(times(std::numbers::pi / 180.0), "degrees"))
            return;
        const auto ratio = ratio_to(r_.frequency);
        if (!ratio) return;
        const double by = ratio->rounded();
        add(times(by), by > 1.0 ? "angles_times" : "angles_divided",
            {{"factor", text(by)}, {"divisor", text(1.0 / by)}, {"table", r_.words}});
    }

    void permuted() {
        if (add({r_.frequency.rbegin(), r_.frequency.rend()}, "pairs_reversed")) return;
        const auto h = pairs_ / 2;
        const auto at = [&](std::int64_t i) { return r_.frequency[static_cast<std::size_t>(i)]; };
        if (h > 0 && add(each([&](auto i) { return at(i % h * 2); }), "pairs_repeated")) return;
        if (h > 0 && add(each([&](auto i) { return at(i / 2 * 2); }), "pairs_repeated")) return;
        if (h > 0 && add(each([&](auto i) { return at(i / 2); }), "pairs_repeated")) return;
    }

    void rounded() {
        for (const Narrow type : {Narrow::bfloat16, Narrow::float16}) {
            auto rates =
                each([&](auto i) { return narrowed(r_.frequency[static_cast<std::size_t>(i)], type); });
            add(std::move(rates), "rates_narrowed", {{"type", std::string(name_of(type))}});
        }
    }

    // Some pairs only: from one on, or a few.
    void some() {
        std::vector<std::int64_t> off;
        for (std::int64_t i = 0; i < pairs_; ++i) {
            const auto k = static_cast<std::size_t>(i);
            if (!agree(std::span(r_.frequency).subspan(k, 1), rates_.subspan(k, 1))) off.push_back(i);
        }
        if (off.empty() || static_cast<std::int64_t>(off.size()) == pairs_) return;
        const std::int64_t first = off.front();
        const auto from = [&](auto rate) {
            return each(
                [&](auto i) { return i < first ? r_.frequency[static_cast<std::size_t>(i)] : rate(i); });
        };
        const ProblemValues where = {{"first", text(first)},
                                     {"last", text(pairs_ - 1)},
                                     {"count", text(first)},
                                     {"pairs", text(pairs_)}};
        if (first > 0 && add(from([](auto) { return 0.0; }), "last_still", where)) return;
        if (first > 0 && pairs_ - first >= 3) {
            if (const auto ratio = ratio_to(r_.frequency, static_cast<std::size_t>(first))) {
                const double by = ratio->rounded();
                ProblemValues values = where;
                values.push_back({"ratio", text(by)});
                values.push_back({"divisor", text(1.0 / by)});
                if (add(from([&](auto i) { return by * r_.frequency[static_cast<std::size_t>(i)]; }),
                        "from_pair", values))
                    return;
            }
        }
        if (off.size() > static_cast<std::size_t>(std::max<std::int64_t>(1, pairs_ / 8))) return;
        std::vector<double> frequency = r_.frequency;
        std::vector<Problem> why;
        for (const std::int64_t i : off) {
            const auto k = static_cast<std::size_t>(i);
            const double ratio = rounded_within(rates_[k].value / r_.frequency[k],
                                                (2.0 * rates_[k].off / r_.frequency[k]) + 1e-6);
            frequency[k] = ratio * r_.frequency[k];
            why.push_back({"measured.pair_off", {{"pair", text(i)}, {"ratio", text(ratio)}}});
        }
        add(std::move(frequency), std::move(why));
    }

    // ---- another geometric row --------------------------------------------------------------------------------------

    void other_base() {
        const auto fit = geometric(rates_);
        if (!fit || !near(fit->factor, 1.0, 1e-3)) return;
        const auto row = [&](double base) {
            return each([&](auto i) {
                return std::pow(base, -static_cast<double>(i) / static_cast<double>(pairs_));
            });
        };
        const double slope = std::log(fit->base), own = std::log(r_.base);
        const auto times = [&](double exponent) { return row(std::pow(r_.base, exponent)); };
        const double ratio = slope / own;
        const auto width = static_cast<double>(2 * pairs_);
        if (pairs_ == r_.pairs()) {
            if (near(ratio, 2.0, 1e-4) && add(times(2.0), "exponent_doubled")) return;
            if (near(ratio, 0.5, 1e-4) && add(times(0.5), "exponent_halved")) return;
            if (pairs_ > 1 && near(ratio, width / (width - 2.0), 1e-4) &&
                add(times(width / (width - 2.0)), "exponent_minus_one",
                    {{"denominator", text(pairs_ - 1)}, {"wanted", text(pairs_)}}))
                return;
            if (r_.settings && r_.head_width > 2 * pairs_ &&
                near(ratio, width / static_cast<double>(r_.head_width), 1e-4) &&
                add(times(width / static_cast<double>(r_.head_width)), "exponent_over_head",
                    {{"width", text(r_.head_width)}, {"rotary", text(2 * pairs_)}}))
                return;
            // The paper's exponent where the table divides by d/2 − 1.
            if (!r_.settings && pairs_ > 1 &&
                add(row(r_.base), "exponent_paper",
                    {{"denominator", text(pairs_ - 1)}, {"pairs", text(pairs_)}}))
                return;
            if (r_.method() == "dynamic") {
                const double alpha = std::pow(fit->base / r_.base, (width - 2.0) / width);
                const double length = (alpha + factor_ - 1.0) * static_cast<double>(r_.longest) / factor_;
                const double whole = std::round(length);
                const double base =
                    r_.base * std::pow(factor_ * whole / static_cast<double>(r_.longest) - (factor_ - 1.0),
                                       width / (width - 2.0));
                if (whole > static_cast<double>(r_.longest) && std::abs(length - whole) < 0.02 * whole) {
                    const double round = rounded_within(whole, 0.002 * whole);
                    const double at = r_.base * std::pow(factor_ * round / static_cast<double>(r_.longest) -
                                                             (factor_ - 1.0),
                                                         width / (width - 2.0));
                    const bool near_factor = near(fit->base, r_.base * factor_, 1e-4);
                    if (near_factor && add(row(r_.base * factor_), "base_times_factor",
                                           {{"base", text(r_.base * factor_)}, {"wanted", text(r_.base)}}))
                        return;
                    if (add(row(at), "dynamic_length",
                            {{"length", text(round)}, {"longest", text(r_.longest)}}))
                        return;
                    if (add(row(base), "dynamic_length",
                            {{"length", text(whole)}, {"longest", text(r_.longest)}}))
                        return;
                }
            }
            if (r_.scaled() && add(row(r_.base * factor_), "base_times_factor",
                                   {{"base", text(r_.base * factor_)}, {"wanted", text(r_.base)}}))
                return;
        } else {
            // All of a head, or the model's width.
            const ProblemValues widths = {{"found", text(pairs_)}, {"wanted", text(r_.pairs())}};
            const bool model = 2 * pairs_ == r_.model_width && r_.model_width != r_.head_width;
            if (add(row(r_.base),
                    model                         ? "width_model"
                    : 2 * pairs_ == r_.head_width ? "width_head"
                                                  : "width",
                    widths))
                return;
        }
        // Bases near each other are told apart only as far as the rows go.
        const auto dots = logarithms(rates_);
        const auto line = line_through(dots, true);
        const double off =
            line ? fit->base * 4.0 * line->slope_off * static_cast<double>(pairs_) + 2e-6 * fit->base : 0.0;
        const double base = rounded_within(fit->base, off);
        ProblemValues values = {{"found", fmt::format("{:.9g}", base)},
                                {"wanted", fmt::format("{:.9g}", r_.base)}};
        const double ntk =
            r_.base * std::pow(factor_, static_cast<double>(pairs_) /
                                            static_cast<double>(std::max<std::int64_t>(pairs_ - 1, 1)));
        const bool is_ntk = r_.scaled() && near(base, ntk, 1e-5);
        if (pairs_ == r_.pairs())
            add(row(is_ntk ? ntk : base), is_ntk ? "ntk_instead" : "base", std::move(values));
    }

    const Reference& r_;
    std::span<const Rate> rates_;
    std::int64_t pairs_ = 0;
    double factor_ = 1.0, fast_ = 32.0, slow_ = 1.0, low_ = 1.0, high_ = 4.0;
    bool truncate_ = true;
    std::vector<Explanation> made_;
};

}  // namespace

std::vector<double> rounder_than(double value) {
    constexpr int kMostDigits = 9;
    std::vector<double> made;
    for (int digits = 1; digits <= kMostDigits && std::isfinite(value) && value > 0.0; ++digits) {
        const double unit = std::pow(10.0, std::floor(std::log10(value)) - digits + 1);
        made.push_back(std::round(value / unit) * unit);
    }
    return made;
}

bool agree(std::span<const double> frequency, std::span<const Rate> rates) {
    constexpr double kTurn = 2.0 * std::numbers::pi;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        // Rows at whole positions show more than half a turn as less.
        const double seen = rates[i].folds && std::abs(frequency[i]) > std::numbers::pi
                                ? std::abs(std::remainder(frequency[i], kTurn))
                                : frequency[i];
        if (!(std::abs(seen - rates[i].value) <= rates[i].off + kSingleRate * std::abs(frequency[i])))
            return false;
    }
    return true;
}

std::optional<Geometric> geometric(std::span<const Rate> rates) {
    const std::vector<Dot> dots = logarithms(rates);
    if (dots.size() < 2) return std::nullopt;
    const auto free = line_through(dots);
    const auto through = line_through(dots, true);
    if (!free || !through) return std::nullopt;
    const auto pairs = static_cast<double>(rates.size());
    const bool plain = std::ranges::all_of(dots, [&](const Dot& d) {
        return std::abs(d.y - through->slope * d.x) <= 4.0 * d.off + 4.0 * kSingleRate;
    });
    if (plain) return Geometric{std::exp(through->slope * pairs), 1.0};
    return Geometric{std::exp(free->slope * pairs), std::exp(-free->at_zero)};
}

std::vector<Explanation> explanations(const Reference& reference, std::span<const Rate> rates) {
    return Fit(reference, rates).all();
}

}  // namespace posiscope::measuring
