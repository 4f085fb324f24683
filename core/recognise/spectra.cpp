#include "core/recognise/spectra.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace posiscope::recognition {
namespace {

// Bases that models use, the most usual first.
constexpr double kBases[] = {10000.0,    500000.0,   1000000.0,   100.0,     1000.0,    20000.0,
                             25000.0,    50000.0,    100000.0,    130000.0,  150000.0,  160000.0,
                             250000.0,   600000.0,   1500000.0,   2000000.0, 5000000.0, 8000000.0,
                             10000000.0, 50000000.0, 100000000.0, 1e9,       1e10,      1e11};
// The divisors of the rates for the slips radians, degrees and two_pi.
constexpr double kSlipped[] = {180.0 / std::numbers::pi, std::numbers::pi / 180.0,
                               0.5 * std::numbers::inv_pi};
// α of NTK-aware scaling: round numbers, and what dynamic scaling comes to where the lengths are round.
constexpr double kAlphas[] = {2.0,  3.0,  4.0,  5.0,  6.0,  7.0,   8.0,   9.0,   10.0,
                              12.0, 13.0, 15.0, 16.0, 20.0, 24.0,  25.0,  29.0,  31.0,
                              32.0, 40.0, 50.0, 63.0, 64.0, 100.0, 128.0, 1000.0};
constexpr double kSameBase = 0.01;
constexpr double kNearSlip = 0.01;
constexpr double kNearDivisor = 1e-3;
constexpr int kRound = 3;           // digits of a base that somebody chose
constexpr double kLeastRoot = 1e4;  // a smaller base than this was not meant

// The first pairs of a wider head may be all pairs of another base: those are two answers.
bool same(const Known& a, const Known& b) {
    return a.factor == b.factor && a.cut_of == b.cut_of &&
           std::equal(
               a.frequency.begin(), a.frequency.end(), b.frequency.begin(), b.frequency.end(),
               [](double one, double other) { return std::abs(one - other) <= 1e-12 * std::abs(other); });
}

// Names of one spectrum are one answer.
void add(std::vector<Known>& all, Known one) {
    for (Known& known : all) {
        if (!same(known, one)) continue;
        if (known.given || one.given) {
            if (one.given && !known.given) known = std::move(one);
            return;
        }
        known.plain = known.plain || one.plain;
        known.usual = known.usual || one.usual;
        known.odd = std::min(known.odd, one.odd);
        const bool named = known.words.find(one.words) != std::string::npos;
        if (!named && std::count(known.words.begin(), known.words.end(), ',') < 3)
            known.words += ", " + one.words;
        return;
    }
    all.push_back(std::move(one));
}

Known geometric(double base, std::int64_t pairs, double divisor, std::string words, double denominator) {
    Known made;
    made.words = std::move(words);
    for (std::int64_t i = 0; i < pairs; ++i) {
        made.unscaled.push_back(std::pow(base, -static_cast<double>(i) / denominator));
        made.frequency.push_back(made.unscaled.back() / divisor);
    }
    return made;
}

std::string base_words(double base) { return fmt::format("b = {:.10g}", base); }

// Bases near a fitted one that somebody may have typed, the roundest first: it is the likeliest.
void add_typed(std::vector<Known>& all, double base, std::int64_t pairs, double divisor) {
    const std::string scaled = divisor == 1.0 ? "" : fmt::format(", ω / {:.7g}", divisor);
    const auto add_one = [&](double one, int odd) {
        Known near = geometric(one, pairs, divisor, base_words(one) + scaled, static_cast<double>(pairs));
        near.typed = true;
        near.plain = divisor == 1.0;
        near.odd = odd;
        add(all, std::move(near));
    };
    for (int digits = 1; digits <= 9; ++digits) {
        const double unit = std::pow(10.0, std::floor(std::log10(base)) - digits + 1);
        add_one(std::round(base / unit) * unit, digits <= kRound ? 2 : 6);
    }
    add_one(base, 6);
}

// The base that NTK-aware scaling of a usual one comes to, b α^(h/(h − 1)), where it is near the fitted one.
void add_ntk(std::vector<Known>& all, std::int64_t pairs, const Geometric& fit) {
    const auto h = static_cast<double>(pairs);
    if (pairs < 2 || std::abs(std::log(fit.divisor)) > kSameBase) return;
    for (const double base : usual_bases().first(kMostUsual))
        for (const double alpha : kAlphas) {
            const double changed = base * std::pow(alpha, h / (h - 1.0));
            if (std::abs(std::log(changed / fit.base)) > kSameBase) continue;
            Known known = geometric(
                changed, pairs, 1.0,
                fmt::format("b = {:.8g} (b = {:.10g}; ntk or dynamic, alpha {})", changed, base, alpha), h);
            known.typed = true;  // a usual base that fits as well is the likelier one
            known.plain = true;
            known.odd = 1;
            add(all, std::move(known));
        }
}

}  // namespace

std::span<const double> usual_bases() { return kBases; }

std::vector<Known> spectra(std::int64_t pairs, std::span<const Known> config, std::span<const Known> models,
                           const std::optional<Geometric>& fit) {
    std::vector<Known> all;
    const auto fits = [&](const Known& known) {
        return static_cast<std::int64_t>(known.frequency.size()) == pairs;
    };
    for (const Known& known : config) {
        if (fits(known)) add(all, known);
        if (static_cast<std::int64_t>(known.frequency.size()) <= pairs) continue;
        Known cut = known;
        cut.cut_of = static_cast<std::int64_t>(known.frequency.size());
        cut.frequency.resize(static_cast<std::size_t>(pairs));
        cut.unscaled.resize(static_cast<std::size_t>(pairs));
        add(all, std::move(cut));
    }
    const auto h = static_cast<double>(pairs);
    for (const double& base : kBases) {
        Known usual = geometric(base, pairs, 1.0, base_words(base), h);
        usual.plain = true;
        usual.usual = &base < kBases + kMostUsual;
        add(all, std::move(usual));
    }
    if (pairs > 1) {
        Known other = geometric(10000.0, pairs, 1.0, "tensor2tensor, b = 10000", h - 1.0);
        other.plain = true;
        add(all, std::move(other));
    }
    // The first pairs of a usual head: an exponent that divides by all of head_dim, or columns cut off. Where they are also
    // all pairs of a usual base, they are that.
    const auto usual = usual_bases().first(kMostUsual);
    if (config.empty())
        for (const double base : usual)
            for (const std::int64_t whole : {32, 48, 64, 128}) {
                if (whole <= pairs) continue;
                const double alike = std::pow(base, h / static_cast<double>(whole));
                if (std::any_of(usual.begin(), usual.end(),
                                [&](double one) { return std::abs(alike / one - 1.0) < 1e-9; }))
                    continue;
                Known cut = geometric(base, pairs, 1.0, base_words(base), static_cast<double>(whole));
                cut.cut_of = whole;
                add(all, std::move(cut));
            }
    for (const Known& known : models)
        if (fits(known)) add(all, known);
    if (!fit || !(fit->base > 1.5 && fit->base < 1e16)) return all;
    add_ntk(all, pairs, *fit);
    for (Known& known : typed_spectra(pairs, *fit)) add(all, std::move(known));
    return all;
}

std::optional<double> usual_divisor(double divisor) {
    if (std::abs(std::log(divisor)) < 2e-3) return 1.0;
    for (const double one : kSlipped)
        if (std::abs(std::log(divisor / one)) < kNearSlip) return one;
    return std::nullopt;
}

std::vector<Known> typed_spectra(std::int64_t pairs, const Geometric& fit) {
    std::vector<Known> all;
    if (!(fit.base > 1.5 && fit.base < 1e16)) return all;
    // Slips change the rates by a constant, or double the exponent.
    add_typed(all, fit.base, pairs, 1.0);
    if (const double root = std::sqrt(fit.base); root >= kLeastRoot) add_typed(all, root, pairs, 1.0);
    if (usual_divisor(fit.divisor) || !(fit.divisor >= 0.02)) return all;
    for (int digits = 1; digits <= 7; ++digits) {
        const double unit = std::pow(10.0, std::floor(std::log10(fit.divisor)) - digits + 1);
        const double rounded = std::round(fit.divisor / unit) * unit;
        if (std::abs(rounded / fit.divisor - 1.0) < kNearDivisor) add_typed(all, fit.base, pairs, rounded);
    }
    return all;
}

}  // namespace posiscope::recognition
