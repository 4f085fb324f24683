// spectrum.cpp — all frequencies of the encoding.
#include "core/lessons/values/value_tables.hpp"

#include "core/precision/precision.hpp"
#include "core/scores/below.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posiscope::lessons {
namespace {

Result<double> pairs(const Scene& scene) {
    return of_rates(scene, [](const Spectrum& s) { return static_cast<double>(s.pairs()); });
}
Result<double> fastest(const Scene& scene) {
    return of_rates(scene, [](const Spectrum& s) { return kTurn / s.frequency.front(); });
}
Result<double> slowest(const Scene& scene) {
    return of_rates(scene, [](const Spectrum& s) { return kTurn / s.frequency.back(); });
}
Result<double> unfinished(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) {
        return static_cast<double>(std::ranges::count_if(
            s.frequency, [&](double omega) { return omega * static_cast<double>(scene.length) < kTurn; }));
    });
}
Result<double> finished(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) {
        return static_cast<double>(std::ranges::count_if(
            s.frequency, [&](double omega) { return omega * static_cast<double>(scene.length) >= kTurn; }));
    });
}
// The largest relative difference from 10000^(−2i/d).
Result<double> off_paper(const Scene& scene) {
    return of_rates(scene, [](const Spectrum& s) {
        const Spectrum paper = geometric_spectrum(10000.0, s.pairs(), s.pairs());
        double most = 0.0;
        for (std::size_t i = 0; i < s.pairs(); ++i)
            most = std::max(most, std::abs(s.frequency[i] / paper.frequency[i] - 1.0));
        return most;
    });
}

// From where on a number format has some pair's angle wrong by more than a hundredth of a radian.
template <Precision Format>
Result<double> angles_off(const Scene& scene) {
    constexpr double kOff = 0.01;
    return of_spectrum(scene, [](const Spectrum& s) -> Result<double> {
        const auto off = first_pair_off(s, Format, kOff);
        if (!off) return no_value("precision");
        return static_cast<double>(off->position);
    });
}

// The distance from which a key equal to the query can score less than chance, and the base that keeps it past the length.
Result<double> below_zero(const Scene& scene) {
    return of_spectrum(scene, [](const Spectrum& s) -> Result<double> {
        const auto first = first_below_zero(s, kFarthestSum);
        if (!first) return no_value("spectrum.below_zero");
        return static_cast<double>(*first);
    });
}
Result<double> base_for_length(const Scene& scene) {
    return of_spectrum(scene, [&](const Spectrum& s) -> Result<double> {
        const auto base = scene.length <= kFarthestSum
                              ? least_base(2 * static_cast<std::int64_t>(s.pairs()), scene.length - 1)
                              : std::nullopt;
        if (!base) return no_value("spectrum.least_base");
        return *base;
    });
}

constexpr std::array kSpectrumValues = {
    Value{"spectrum.pairs", false, pairs},
    Value{"spectrum.fastest", false, fastest},
    Value{"spectrum.slowest", false, slowest},
    Value{"spectrum.unfinished", false, unfinished},
    Value{"spectrum.finished", false, finished},
    Value{"spectrum.off_paper", false, off_paper},
    Value{"spectrum.below_zero", true, below_zero},
    Value{"spectrum.least_base", true, base_for_length},
    Value{"precision.bfloat16", true, angles_off<Precision::bfloat16>},
    Value{"precision.float32", true, angles_off<Precision::float32>},
};

}  // namespace

std::span<const Value> spectrum_values() { return kSpectrumValues; }

}  // namespace posiscope::lessons
