#include "core/recognise/spectra.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::recognition {
namespace {

bool same(const Known& a, const Known& b) {
    return a.factor == b.factor && std::equal(a.frequency.begin(), a.frequency.end(), b.frequency.begin(),
                                              b.frequency.end(), [](double one, double other) {
                                                  return std::abs(one - other) <= 1e-12 * std::abs(other);
                                              });
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

// Bases near a fitted one that somebody may have typed.
std::vector<double> typed_bases(double base) {
    std::vector<double> made;
    for (int digits = 1; digits <= 7; ++digits) {
        const double unit = std::pow(10.0, std::floor(std::log10(base)) - digits + 1);
        made.push_back(std::round(base / unit) * unit);
    }
    made.push_back(base);
    return made;
}

}  // namespace

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
    for (const double base : {10000.0, 500000.0, 1000000.0}) {
        Known usual = geometric(base, pairs, 1.0, base_words(base), h);
        usual.plain = true;
        add(all, std::move(usual));
    }
    if (pairs > 1) {
        Known other = geometric(10000.0, pairs, 1.0, "tensor2tensor, b = 10000", h - 1.0);
        other.plain = true;
        add(all, std::move(other));
    }
    // The first pairs of a usual head: an exponent that divides by all of head_dim, or columns cut off.
    if (config.empty())
        for (const double base : {10000.0, 500000.0, 1000000.0})
            for (const std::int64_t whole : {32, 48, 64, 128}) {
                if (whole <= pairs) continue;
                Known cut = geometric(base, pairs, 1.0, base_words(base), static_cast<double>(whole));
                cut.cut_of = whole;
                add(all, std::move(cut));
            }
    for (const Known& known : models)
        if (fits(known)) add(all, known);
    if (!fit || !(fit->base > 1.5 && fit->base < 1e16)) return all;
    const double usual = usual_base(*fit);
    const double whole = std::round(fit->divisor * 1000.0) / 1000.0;
    for (const double divisor : {1.0, whole}) {
        if (divisor != 1.0 && (std::abs(divisor - 1.0) < 2e-3 || divisor < 0.02)) continue;
        const std::string scaled = divisor == 1.0 ? "" : fmt::format(", ω / {:.6g}", divisor);
        // The roundest base that fits is the likeliest to have been typed.
        if (usual == fit->base)
            for (const double base : typed_bases(fit->base)) {
                Known near = geometric(base, pairs, divisor, base_words(base) + scaled, h);
                near.typed = true;
                add(all, std::move(near));
            }
        Known one = geometric(usual, pairs, divisor, base_words(usual) + scaled, h);
        one.typed = usual == fit->base;
        one.plain = divisor == 1.0 && usual != fit->base;
        add(all, std::move(one));
    }
    return all;
}

}  // namespace posiscope::recognition
