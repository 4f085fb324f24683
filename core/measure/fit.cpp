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

// The spectra of one reference, in groups: of each group the first that agrees is an explanation. Without rates all are.
class Spectra {
public:
    Spectra(const Reference& reference, std::span<const Rate> rates)
        : r_(reference),
          rates_(rates),
          pairs_(rates.empty() ? reference.pairs() : static_cast<std::int64_t>(rates.size())) {
        if (!r_.settings) return;
        const Json& s = r_.settings->chosen.settings;
        const double lengths = r_.longest > 0 && r_.original > 0
                                   ? static_cast<double>(r_.longest) / static_cast<double>(r_.original)
                                   : 1.0;
        factor_ = number(s, "factor", lengths);
        fast_ = number(s, "beta_fast", 32.0), slow_ = number(s, "beta_slow", 1.0);
        if (fast_ == 0.0) fast_ = 32.0;
        if (slow_ == 0.0) slow_ = 1.0;
        if (const auto t = s.find("truncate"); t != s.end() && t->is_boolean()) truncate_ = t->get<bool>();
        low_ = number(s, "low_freq_factor", 1.0), high_ = number(s, "high_freq_factor", 4.0);
    }

    std::vector<Explanation> all() {
        if (pairs_ == r_.pairs()) {
            if (!rates_.empty()) say(r_.frequency, std::vector<Problem>{});
            if (said_) return std::move(made_);
            of_pairs_ = true;
            if (r_.scaled()) scalings();
            rounded();
            of_pairs_ = false;
            exponents();
            times();
            permuted();
            of_pairs_ = true;
            some();
            of_pairs_ = false;
        } else if (pairs_ < r_.pairs()) {
            some_there();
            if (said_) return std::move(made_);
        }
        other_base();
        return std::move(made_);
    }

private:
    static double number(const Json& s, const char* key, double otherwise) {
        const auto found = s.find(key);
        return found != s.end() && found->is_number() ? found->get<double>() : otherwise;
    }

    void say(std::vector<double> frequency, std::vector<Problem> why) {
        if (said_ || frequency.size() != static_cast<std::size_t>(pairs_) || !agree(frequency, rates_))
            return;
        made_.push_back({std::move(frequency), std::move(why), of_pairs_});
        said_ = !rates_.empty();
    }
    void say(std::vector<double> frequency, std::string_view key, ProblemValues values = {}) {
        say(std::move(frequency), {Problem{fmt::format("measured.{}", key), std::move(values)}});
    }
    void next_group() { said_ = false; }

    template <class Make>
    std::vector<double> each(Make make) const {
        std::vector<double> made;
        for (std::int64_t i = 0; i < pairs_; ++i) made.push_back(make(i));
        return made;
    }
    double plain(std::int64_t i) const { return r_.unscaled[static_cast<std::size_t>(i)]; }
    double own(std::int64_t i) const { return r_.frequency[static_cast<std::size_t>(i)]; }
    double scale(std::int64_t i) const { return plain(i) > 0.0 ? own(i) / plain(i) : 1.0; }

    // ---- scalings ---------------------------------------------------------------------------------------------------

    void scalings() {
        const std::string_view method = r_.method();
        say(r_.unscaled, "unscaled", {{"method", std::string(method)}});
        if (method == "yarn") yarn();
        if (method == "llama3") llama3();
        const auto multiplied = each([&](auto i) { return plain(i) * plain(i) / own(i); });
        if (method == "longrope") say(multiplied, "list_multiplied", {{"list", r_.list}});
        say(multiplied, "inverse");
        say(each([&](auto i) { return own(i) * own(i) / plain(i); }), "scaled_twice");
        next_group();
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

    // Each frequency in two parts: `kept` of it stays, the rest is divided.
    template <class Kept>
    std::vector<double> blended(Kept kept, double factor) const {
        return each([&](auto i) {
            const double k = kept(i);
            return plain(i) / factor * (1.0 - k) + plain(i) * k;
        });
    }
    static auto kept_in(const PairRange& range) {
        return [=](std::int64_t i) { return kept_by_pair(range, static_cast<double>(i)); };
    }
    PairRange range_of(double fast, double slow, double original, bool truncate) const {
        return correction_range(fast, slow, r_.settings->context.rotary_dim, r_.base, original, truncate);
    }

    void yarn() {
        const auto original = static_cast<double>(r_.original), longest = static_cast<double>(r_.longest);
        const PairRange range = range_of(fast_, slow_, original, truncate_);
        const auto kept = kept_in(range);
        const auto ends = [](const PairRange& of) { return fmt::format("{:.6g} … {:.6g}", of.low, of.high); };
        const auto ramp = [&](const PairRange& other, const char* key, ProblemValues values) {
            values.insert(values.end(), {{"ends", ends(other)}, {"wanted_ends", ends(range)}});
            say(blended(kept_in(other), factor_), key, std::move(values));
        };
        other_factor(kept);
        say(blended([&](auto i) { return 1.0 - kept(i); }, factor_), "ramp_upside_down");
        // Exchanged betas put the ends the other way round.
        const PairRange other = range_of(slow_, fast_, original, truncate_);
        const double width = other.low == other.high ? 0.001 : other.high - other.low;
        say(blended(
                [&](auto i) {
                    return 1.0 - std::clamp((static_cast<double>(i) - other.low) / width, 0.0, 1.0);
                },
                factor_),
            "betas_exchanged", {{"fast", text(slow_)}, {"slow", text(fast_)}});
        ramp(range_of(fast_, slow_, original, !truncate_), truncate_ ? "ramp_not_rounded" : "ramp_rounded",
             {});
        for (const double half : {static_cast<double>(pairs_) - 1.0, static_cast<double>(pairs_)})
            if (range.high > half)
                ramp({range.low, half}, "ramp_clamped", {{"end", text(half)}, {"pairs", text(pairs_)}});
        if (longest > 0.0 && longest != original)
            ramp(range_of(fast_, slow_, longest, truncate_), "original_longest",
                 {{"found", text(r_.longest)}, {"wanted", text(r_.original)}});
        // The slowed part, or the kept one, of the wrong base.
        const auto parts = [&](double slow_base, double kept_base, double divisor) {
            return each([&](auto i) {
                const double k = kept(i), x = -static_cast<double>(i) / static_cast<double>(pairs_);
                return std::pow(slow_base, x) / divisor * (1.0 - k) + std::pow(kept_base, x) * k;
            });
        };
        const double power = factor_ * r_.base, ntk = ntk_base();
        say(parts(power, r_.base, 1.0), "factor_inside", {{"base", text(power)}});
        say(parts(r_.base, ntk, factor_), "kept_from_ntk",
            {{"base", fmt::format("{:.9g}", ntk)}, {"wanted", text(r_.base)}});
        if (!said_) measured_ramp(range, original);
    }
    double ntk_base() const {
        const auto h = static_cast<double>(pairs_);
        return r_.base * std::pow(factor_, h / std::max(h - 1.0, 1.0));
    }

    // Another factor, from the pairs that are slowed, if they agree on one.
    template <class Kept>
    void other_factor(Kept kept) {
        std::vector<Dot> dots;
        for (std::size_t i = 0; i < rates_.size(); ++i)
            if (const double k = kept(static_cast<std::int64_t>(i));
                k < 0.999 && std::isfinite(rates_[i].off))
                dots.push_back({1.0 - k, rates_[i].value / r_.unscaled[i] - k,
                                rates_[i].off / r_.unscaled[i] + kSingleRate});
        const auto fit = line_through(dots, true);
        if (!fit || !(fit->slope > 0.0)) return;
        const double factor = 1.0 / fit->slope;
        const double found = rounded_within(factor, factor * (4.0 * fit->slope_off / fit->slope + 1e-5));
        say(blended(kept, found), "factor", {{"found", text(found)}, {"wanted", text(factor_)}});
    }

    // The kept part of each pair between the ends of a ramp, at x(pair).
    template <class X>
    std::vector<Dot> kept_parts(X x) const {
        std::vector<Dot> dots;
        for (std::size_t k = 0; k < rates_.size(); ++k) {
            const auto i = static_cast<std::int64_t>(k);
            const double range = 1.0 - 1.0 / factor_,
                         part = (rates_[k].value / plain(i) - 1.0 / factor_) / range;
            const double off = (rates_[k].off / plain(i) + kSingleRate) / range;
            if (off < 0.05 && part > 4.0 * off && part < 1.0 - 4.0 * off) dots.push_back({x(i), part, off});
        }
        return dots;
    }

    // Its ends by a straight line, and which betas or length they come from.
    void measured_ramp(const PairRange& wanted, double original) {
        const auto fit = line_through(kept_parts([](auto i) { return static_cast<double>(i); }));
        if (!fit || fit->slope == 0.0) return;
        double low = (1.0 - fit->at_zero) / fit->slope, high = -fit->at_zero / fit->slope;
        if (std::abs(low - std::round(low)) < 0.02 && std::abs(high - std::round(high)) < 0.02)
            low = std::round(low), high = std::round(high);
        if (!(high > low)) return;
        const ProblemValues ends = {{"ends", fmt::format("{:.5g} … {:.5g}", low, high)},
                                    {"wanted_ends", fmt::format("{:.5g} … {:.5g}", wanted.low, wanted.high)}};
        const auto try_range = [&](const PairRange& range, const char* key, ProblemValues values) {
            if (said_ || std::abs(range.low - low) > 0.02 || std::abs(range.high - high) > 0.02) return;
            values.insert(values.end(), ends.begin(), ends.end());
            say(blended(kept_in(range), factor_), key, std::move(values));
        };
        for (const bool truncate : {truncate_, !truncate_}) {
            for (double length = 256; length <= 1 << 24; length *= 2)
                try_range(range_of(fast_, slow_, length, truncate), "original",
                          {{"found", text(length)}, {"wanted", text(original)}});
            for (const double fast :
                 {1.0, 2.0, 4.0, 8.0, 10.0, 16.0, 20.0, 24.0, 32.0, 40.0, 48.0, 64.0, 128.0, 256.0})
                for (const double slow : {0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 8.0, 16.0})
                    if (fast > slow)
                        try_range(range_of(fast, slow, original, truncate), "betas",
                                  {{"fast", text(fast)},
                                   {"slow", text(slow)},
                                   {"wanted_fast", text(fast_)},
                                   {"wanted_slow", text(slow_)}});
        }
        say(blended(kept_in({low, high}), factor_), "ramp", ends);
    }

    void llama3() {
        const auto original = static_cast<double>(r_.original);
        const auto kept = [&](double length, double low, double high) {
            return [=, this](std::int64_t i) { return kept_by_rotations(plain(i), length, low, high); };
        };
        const auto from_length = [&](const char* key, double length) {
            say(blended(kept(length, low_, high_), factor_), key,
                {{"found", text(length)}, {"wanted", text(original)}, {"ends", ""}, {"wanted_ends", ""}});
        };
        const auto turns = [&](std::int64_t i) { return original * plain(i) / (2.0 * std::numbers::pi); };
        other_factor(kept(original, low_, high_));
        if (r_.longest > 0) from_length("original_longest", static_cast<double>(r_.longest));
        // Between the ends none, the one or the other.
        for (const double edge : {low_, high_})
            say(blended([&](auto i) { return turns(i) >= edge ? 1.0 : 0.0; }, factor_), "not_blended",
                {{"low", text(low_)}, {"high", text(high_)}, {"kept", edge == low_ ? "1" : "0"}});
        // Low taken for high: comparisons of wavelengths with exchanged bounds.
        say(blended(
                [&](auto i) {
                    const double n = turns(i);
                    return n > low_ ? 1.0 : n < high_ ? 0.0 : (n - high_) / (low_ - high_);
                },
                factor_),
            "bands_exchanged", {{"low", text(high_)}, {"high", text(low_)}});
        for (const bool upside_down : {false, true})
            for (const bool by_wave : {false, true}) {
                const auto part = [&](std::int64_t i) {
                    const double n = turns(i);
                    if (n < low_ || n >= high_) return n < low_ ? 0.0 : 1.0;
                    const double k = by_wave ? (1.0 / low_ - 1.0 / n) / (1.0 / low_ - 1.0 / high_)
                                             : (n - low_) / (high_ - low_);
                    return upside_down ? 1.0 - k : k;
                };
                say(blended(part, factor_), by_wave ? "blended_in_wavelength" : "blend_upside_down");
                // Wavelengths themselves, blended.
                say(each([&](auto i) { return plain(i) / (part(i) + (1.0 - part(i)) * factor_); }),
                    "blended_in_wavelength");
            }
        if (said_) return;
        // A straight line in the turns has other ends.
        const auto fit =
            line_through(kept_parts([&](auto i) { return plain(i) / (2.0 * std::numbers::pi); }));
        if (!fit || !(fit->slope > 0.0)) return;
        const double length = fit->slope * (high_ - low_), gap = original / fit->slope;
        from_length("original", rounded_within(length, length * 1e-3));
        const double low = rounded_within(-fit->at_zero * gap, 1e-3), high = rounded_within(low + gap, 1e-3);
        if (low > 0.0 && high > low)
            say(blended(kept(original, low, high), factor_), "bands",
                {{"low", text(low)},
                 {"high", text(high)},
                 {"wanted_low", text(low_)},
                 {"wanted_high", text(high_)}});
    }

    void rounded() {
        for (const Narrow type : {Narrow::bfloat16, Narrow::float16}) {
            say(each([&](auto i) { return narrowed(own(i), type); }), "rates_narrowed",
                {{"type", std::string(name_of(type))}});
            next_group();
        }
    }

    // ---- all pairs together -----------------------------------------------------------------------------------------

    // b^(−x) of another exponent, scaled as it would be.
    template <class Exponent>
    std::vector<double> powers(Exponent exponent) const {
        return each([&](auto i) { return std::pow(r_.base, -exponent(static_cast<double>(i))) * scale(i); });
    }
    void exponents() {
        const auto h = static_cast<double>(pairs_);
        const auto over = [&](double denominator, const char* key, ProblemValues values = {}) {
            say(powers([=](double i) { return i / denominator; }), key, std::move(values));
        };
        const auto over_width = [&](std::int64_t width, const char* key) {
            if (width > 0 && width != 2 * pairs_)
                over(0.5 * static_cast<double>(width), key,
                     {{"width", text(width)}, {"rotary", text(2 * pairs_)}});
        };
        over(0.5 * h, "exponent_doubled");
        over(2.0 * h, "exponent_halved");
        if (r_.settings && r_.head_width > 2 * pairs_) over_width(r_.head_width, "exponent_over_head");
        if (pairs_ > 2) {
            over(h - 1.0, "exponent_minus_one",
                 {{"denominator", text(pairs_ - 1)}, {"wanted", text(pairs_)}});
            over(h + 1.0, "exponent_plus_one", {{"denominator", text(pairs_ + 1)}, {"wanted", text(pairs_)}});
            // The paper's exponent where the table divides by d/2 − 1.
            if (!r_.settings)
                over(h, "exponent_paper", {{"denominator", text(pairs_ - 1)}, {"pairs", text(pairs_)}});
        }
        if (!r_.known) over_width(r_.model_width, "exponent_over_model");
        over(h * std::numbers::ln10, "exponent_log10");
        say(powers([=](double i) { return (i + 1.0) / h; }), "exponent_from_one");
        say(powers([=](double i) { return -i / h; }), "exponent_positive");
        say(each([&](auto i) { return own(i) > 0.0 ? 2.0 * std::numbers::pi / own(i) : 0.0; }),
            "wavelengths");
        next_group();
    }

    // Every angle times one number.
    void times() {
        const auto by = [&](double factor) { return each([&](auto i) { return factor * own(i); }); };
        say(by(2.0 * std::numbers::pi), "two_pi");
        say(by(std::numbers::pi / 180.0), "degrees");
        if (rates_.empty()) say(by(180.0 / std::numbers::pi), "angles_times", {{"factor", "180/π"}});
        // Linear scaling by another factor, or in the place of another method.
        static constexpr std::string_view methods[] = {"linear", "yarn", "llama3", "dynamic", "ntk"};
        const std::string_view method = r_.method();
        if (r_.scaled() && std::ranges::find(methods, method) != std::end(methods))
            if (const auto ratio = ratio_to(r_.unscaled)) {
                const double divisor = 1.0 / ratio->rounded();
                const auto slowed = each([&](auto i) { return plain(i) / divisor; });
                if (method == "linear")
                    say(slowed, "factor", {{"found", text(divisor)}, {"wanted", text(factor_)}});
                else if (divisor > 1.0)
                    say(slowed, "linear", {{"factor", text(divisor)}, {"method", std::string(method)}});
            }
        if (const auto ratio = ratio_to(r_.frequency)) {
            const double factor = ratio->rounded();
            say(by(factor), factor > 1.0 ? "angles_times" : "angles_divided",
                {{"factor", text(factor)}, {"divisor", text(1.0 / factor)}, {"table", r_.words}});
        }
        next_group();
    }

    void permuted() {
        say({r_.frequency.rbegin(), r_.frequency.rend()}, "pairs_reversed");
        const auto h = std::max<std::int64_t>(pairs_ / 2, 1);
        say(each([&](auto i) { return own(i % h * 2 % pairs_); }), "pairs_repeated");
        say(each([&](auto i) { return own(i / 2 * 2); }), "pairs_repeated");
        say(each([&](auto i) { return own(i / 2); }), "pairs_repeated");
        next_group();
    }

    // Some pairs only: from one on, or a few.
    void some() {
        std::vector<std::int64_t> off;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(rates_.size()); ++i) {
            const auto k = static_cast<std::size_t>(i);
            if (!agree(std::span(r_.frequency).subspan(k, 1), rates_.subspan(k, 1))) off.push_back(i);
        }
        if (off.empty() || static_cast<std::int64_t>(off.size()) == pairs_) return;
        const std::int64_t first = off.front();
        const auto from_first = [&](double factor) {
            return each([&](auto i) { return own(i) * (i < first ? 1.0 : factor); });
        };
        ProblemValues where = {{"first", text(first)},
                               {"last", text(pairs_ - 1)},
                               {"count", text(first)},
                               {"pairs", text(pairs_)}};
        if (first > 0) say(from_first(0.0), "last_still", where);
        if (const auto ratio = ratio_to(r_.frequency, static_cast<std::size_t>(first));
            ratio && first > 0 && pairs_ - first >= 3) {
            const double by = ratio->rounded();
            where.insert(where.end(), {{"ratio", text(by)}, {"divisor", text(1.0 / by)}});
            say(from_first(by), "from_pair", where);
        }
        if (off.size() > static_cast<std::size_t>(std::max<std::int64_t>(1, pairs_ / 8))) return next_group();
        std::vector<double> frequency = r_.frequency;
        std::vector<Problem> why;
        for (const std::int64_t i : off) {
            const auto k = static_cast<std::size_t>(i);
            const double ratio = rounded_within(rates_[k].value / r_.frequency[k],
                                                (2.0 * rates_[k].off / r_.frequency[k]) + 1e-6);
            frequency[k] = ratio * r_.frequency[k];
            why.push_back({"measured.pair_off", {{"pair", text(i)}, {"ratio", text(ratio)}}});
        }
        say(std::move(frequency), std::move(why));
        next_group();
    }

    // Fewer pairs than the reference has.
    void some_there() {
        const ProblemValues widths = {{"found", text(pairs_)},
                                      {"wanted", text(r_.pairs())},
                                      {"first", text(r_.pairs() - pairs_)},
                                      {"last", text(r_.pairs() - 1)}};
        const bool still = std::all_of(r_.frequency.begin() + static_cast<std::ptrdiff_t>(pairs_),
                                       r_.frequency.end(), [](double w) { return w == 0.0; });
        say({r_.frequency.begin(), r_.frequency.begin() + static_cast<std::ptrdiff_t>(pairs_)},
            still ? "zeros_left_out" : "width", widths);
        say({r_.frequency.end() - static_cast<std::ptrdiff_t>(pairs_), r_.frequency.end()}, "shard", widths);
    }

    // ---- another geometric row --------------------------------------------------------------------------------------

    void other_base() {
        const auto fit = geometric(rates_);
        if (!fit || !near(fit->factor, 1.0, 1e-3)) return;
        const auto h = static_cast<double>(pairs_);
        const auto row = [&](double base) {
            return each([&](auto i) { return std::pow(base, -static_cast<double>(i) / h); });
        };
        if (pairs_ != r_.pairs()) {
            // All of a head, or the model's width.
            const bool model = 2 * pairs_ == r_.model_width && r_.model_width != r_.head_width;
            const bool head = 2 * pairs_ == r_.head_width;
            return say(row(r_.base),
                       model  ? "width_model"
                       : head ? "width_head"
                              : "width",
                       {{"found", text(pairs_)}, {"wanted", text(r_.pairs())}});
        }
        const double times_factor = r_.base * factor_;
        const ProblemValues times = {{"base", text(times_factor)}, {"wanted", text(r_.base)}};
        if (r_.method() == "dynamic" && near(fit->base, times_factor, 1e-4))
            say(row(times_factor), "base_times_factor", times);
        if (r_.method() == "dynamic") of_length(*fit);
        if (r_.scaled()) say(row(times_factor), "base_times_factor", times);
        // Bases near each other are told apart only as far as the rows go.
        const auto line = line_through(logarithms(rates_), true);
        const double off = line ? fit->base * 4.0 * line->slope_off * h + 2e-6 * fit->base : 0.0;
        const double base = rounded_within(fit->base, off), ntk = ntk_base();
        const bool is_ntk = r_.scaled() && near(base, ntk, 1e-5);
        say(row(is_ntk ? ntk : base), is_ntk ? "ntk_instead" : "base",
            {{"found", fmt::format("{:.9g}", base)}, {"wanted", fmt::format("{:.9g}", r_.base)}});
    }

    // The dynamic method's base of a text of another length.
    void of_length(const Geometric& fit) {
        const auto longest = static_cast<double>(r_.longest);
        const double power = static_cast<double>(pairs_) / static_cast<double>(pairs_ - 1);
        const double alpha = std::pow(fit.base / r_.base, 1.0 / power);
        const double length = (alpha + factor_ - 1.0) * longest / factor_, whole = std::round(length);
        if (!(whole > longest) || std::abs(length - whole) >= 0.02 * whole) return;
        for (const double one : {rounded_within(whole, 0.002 * whole), whole}) {
            const double base = r_.base * std::pow(factor_ * one / longest - (factor_ - 1.0), power);
            say(each([&](auto i) {
                    return std::pow(base, -static_cast<double>(i) / static_cast<double>(pairs_));
                }),
                "dynamic_length", {{"length", text(one)}, {"longest", text(r_.longest)}});
        }
    }

    const Reference& r_;
    std::span<const Rate> rates_;
    std::int64_t pairs_ = 0;
    double factor_ = 1.0, fast_ = 32.0, slow_ = 1.0, low_ = 1.0, high_ = 4.0;
    bool truncate_ = true, said_ = false, of_pairs_ = false;
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
    return Spectra(reference, rates).all();
}

}  // namespace posiscope::measuring
