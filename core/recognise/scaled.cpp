#include "core/recognise/scaled.hpp"

#include "core/recognise/spectra.hpp"
#include "core/scaling/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope::recognition {
namespace {

constexpr double kNear = 0.03, kUnscaled = 0.015;
constexpr double kSameAmplitude = 0.01;
constexpr std::size_t kLeastFast = 3;    // pairs that no scaling changes
constexpr std::size_t kMostPairs = 512;  // no model has wider heads
constexpr double kFactors[] = {2.0,  3.0,  4.0,  5.0,  8.0,  10.0,  16.0, 20.0,
                               32.0, 40.0, 48.0, 64.0, 80.0, 100.0, 128.0};
constexpr std::int64_t kOriginals[] = {1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144};
constexpr std::pair<double, double> kBounds[] = {{1.0, 4.0}, {1.0, 1.0}, {1.0, 32.0}};  // low, high

// Whether each rate that was seen is near this one.
bool near(const Seen& seen, std::span<const double> rates, double within) {
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const double one = seen.rates[i];
        if (!(one > seen.least) || one > 3.0) continue;
        if (!(std::abs(rates[i] / one - 1.0) <= within)) return false;
    }
    return true;
}

// Whether the fastest pairs have the rates of this base.
bool begins_so(const Seen& seen, std::span<const double> unscaled) {
    std::size_t agree = 0;
    for (std::size_t i = 1; i < unscaled.size() && agree < kLeastFast; ++i, ++agree)
        if (!(std::abs(seen.rates[i] / unscaled[i] - 1.0) <= kUnscaled)) return false;
    return agree == std::min(kLeastFast, unscaled.size() - 1);
}

Known made_of(const Spectrum& spectrum, std::span<const double> unscaled, std::string words) {
    Known made;
    made.words = std::move(words);
    made.frequency = spectrum.frequency;
    made.unscaled.assign(unscaled.begin(), unscaled.end());
    made.factor = spectrum.attention_factor;
    made.plain = true;
    return made;
}

// cos and sin times the factor of the method, or as they are.
void add(std::vector<Known>& all, const Seen& seen, Known known) {
    const auto fits = [&](double factor) {
        return seen.amplitude == 0.0 || std::abs(seen.amplitude / factor - 1.0) <= kSameAmplitude;
    };
    if (fits(known.factor)) all.push_back(known);
    if (!seen.waves || known.factor == 1.0 || !fits(1.0)) return;
    known.words += ", attention_factor 1";
    known.factor = 1.0;
    all.push_back(std::move(known));
}

void add_of_base(std::vector<Known>& all, const Seen& seen, double base) {
    const auto width = static_cast<std::int64_t>(2 * seen.rates.size());
    const RopeContext context{base, width, 1.0, width, 1, {}};
    const std::vector<double> unscaled = unscaled_spectrum(context).frequency;
    if (!begins_so(seen, unscaled) || near(seen, unscaled, kUnscaled)) return;
    const auto look_at = [&](const Json& settings, const std::string& words) {
        const auto chosen = choose_scaling(settings, "");
        if (!chosen) return;
        const auto spectrum = scaled_spectrum(context, *chosen);
        if (spectrum && near(seen, spectrum->frequency, kNear))
            add(all, seen, made_of(*spectrum, unscaled, fmt::format("b = {:.10g}, {}", base, words)));
    };
    for (const double factor : kFactors)
        for (const std::int64_t original : kOriginals) {
            look_at(
                {{"rope_type", "yarn"}, {"factor", factor}, {"original_max_position_embeddings", original}},
                fmt::format("yarn, factor {}, original_max_position_embeddings {}", factor, original));
            for (const auto& [low, high] : kBounds)
                look_at({{"rope_type", "llama3"},
                         {"factor", factor},
                         {"low_freq_factor", low},
                         {"high_freq_factor", high},
                         {"original_max_position_embeddings", original}},
                        fmt::format("llama3, factor {}, low_freq_factor {}, high_freq_factor {}, "
                                    "original_max_position_embeddings {}",
                                    factor, low, high, original));
        }
}

}  // namespace

std::vector<Known> scaled_spectra(const Seen& seen) {
    std::vector<Known> all;
    if (seen.rates.size() <= kLeastFast || seen.rates.size() > kMostPairs) return all;
    for (const double base : usual_bases()) add_of_base(all, seen, base);
    return all;
}

}  // namespace posiscope::recognition
