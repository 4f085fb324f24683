// spectrum.cpp — frequencies, phases and turns.
// frequencies  inv_freq[r/2] ω_i in radians per position, after scaling; wavelength[r/2] 2π/ω_i in positions
//              (null for a pair without rotation); attention_factor, which multiplies cos and sin
// phase        angle[length, r/2] of each token, in radians from −π to below π: ω_i times its place (core/encodings/turning.hpp)
// cache        cos, sin[length, r/2] of these angles times attention_factor, as a model stores them
// turns        turns_trained[r/2] = ω_i of the trained Scene × trained.length / 2π, null where no trained.length is
//              set; turns[r/2] = ω_i × length / 2π; unseen[r/2]: 1 where training did not finish a turn and this
//              length goes further, so that there are unseen angles, else 0
// base         below_zero: the first distance at which Σ_i cos(Δ ω_i) is below 0, null if none is up to 65536; least_base: that
//              of as many unscaled pairs whose sum stays at 0 or above below the length, null past 65536 (scores/below.hpp)
// Error        inv_freq ≤ 1 ulp, angle ≤ 5e-16, cos and sin ≤ 1.2 ulp before the factor.
#include "core/cost.hpp"
#include "core/encodings/turning.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scaling/trained.hpp"
#include "core/scores/below.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace posiscope {
namespace {

Result<std::vector<Shape>> frequency_shapes(const Scene& scene) {
    return turning_pairs(scene, "frequencies").map([](std::int64_t pairs) {
        return std::vector<Shape>{{"inv_freq", {pairs}, "rad/position"},
                                  {"wavelength", {pairs}, "positions"},
                                  {"attention_factor", {}}};
    });
}

Result<void> fill_frequencies(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    arrays[0].values = spectrum->frequency;
    for (std::size_t i = 0; i < spectrum->pairs(); ++i)
        arrays[1].values[i] = 2.0 * std::numbers::pi / spectrum->frequency[i];
    arrays[2].values[0] = spectrum->attention_factor;
    return {};
}

// Tokens have no angles of their own where a typed distance, or chunks, make one of two.
Result<std::int64_t> token_pairs(const Scene& scene, std::string_view quantity) {
    const Rotation rotation = rotation_of(scene);
    return rotation == Rotation::distance || rotation == Rotation::chunks ? steady_pairs(scene, quantity)
                                                                          : turning_pairs(scene, quantity);
}

Result<std::vector<Shape>> phase_shapes(const Scene& scene) {
    return token_pairs(scene, "phase").map([&](std::int64_t pairs) {
        return std::vector<Shape>{{"angle", {scene.length, pairs}, "rad", {{"position"}, {"pair"}}}};
    });
}

// Every token and pair in turn: visit(place in the array, angle, attention factor).
template <class Visit>
Result<void> each_angle(const Scene& scene, Visit visit) {
    const auto turning = turning_of(scene);
    if (!turning) return tl::unexpected(turning.error());
    std::size_t place = 0;
    for (std::int64_t token = 0; token < scene.length; ++token)
        for (std::size_t i = 0; i < turning->pairs(); ++i)
            visit(place++, turning->angle(i, token), turning->spectrum.attention_factor);
    return {};
}

// From 0 to a turn, as the picture has them.
Result<void> fill_phase(const Scene& scene, std::span<Array> arrays) {
    return each_angle(scene, [&](std::size_t place, const PairAngle& angle, double) {
        constexpr double turn = 2.0 * std::numbers::pi;
        arrays[0].values[place] = angle.radians - turn * std::floor(angle.radians / turn);
    });
}

Result<std::vector<Shape>> cache_shapes(const Scene& scene) {
    return token_pairs(scene, "cache").map([&](std::int64_t pairs) {
        const std::vector<Axis> axes = {{"position"}, {"pair"}};
        return std::vector<Shape>{{"cos", {scene.length, pairs}, "", axes},
                                  {"sin", {scene.length, pairs}, "", axes}};
    });
}

Result<void> fill_cache(const Scene& scene, std::span<Array> arrays) {
    return each_angle(scene, [&](std::size_t place, const PairAngle& angle, double factor) {
        arrays[0].values[place] = angle.cos * factor;
        arrays[1].values[place] = angle.sin * factor;
    });
}

Result<std::vector<Shape>> turn_shapes(const Scene& scene) {
    return turning_pairs(scene, "turns").map([](std::int64_t pairs) {
        return std::vector<Shape>{
            {"turns_trained", {pairs}, "turns"}, {"turns", {pairs}, "turns"}, {"unseen", {pairs}}};
    });
}

Result<void> fill_turns(const Scene& scene, std::span<Array> arrays) {
    const auto training = training_of(scene);
    if (!training) return tl::unexpected(training.error());
    arrays[1].values = training->turns;
    for (const std::size_t unknown : {0U, 2U})
        std::fill(arrays[unknown].values.begin(), arrays[unknown].values.end(),
                  std::numeric_limits<double>::quiet_NaN());
    if (training->trained_turns.empty()) return {};
    arrays[0].values = training->trained_turns;
    std::copy(training->unseen.begin(), training->unseen.end(), arrays[2].values.begin());
    return {};
}

Result<std::vector<Shape>> base_shapes(const Scene& scene) {
    return steady_pairs(scene, "base").map([](std::int64_t) {
        return std::vector<Shape>{{"below_zero", {}, "positions"}, {"least_base", {}}};
    });
}

Result<void> fill_base(const Scene& scene, std::span<Array> arrays) {
    const auto spectrum = steady_spectrum_of(scene);
    if (!spectrum) return tl::unexpected(spectrum.error());
    if (auto problem = too_costly(
            "base", static_cast<double>(spectrum->pairs()) * static_cast<double>(kFarthestSum), kMostSummed))
        return tl::unexpected(std::move(*problem));
    const auto first = first_below_zero(*spectrum, kFarthestSum);
    const auto base = scene.length <= kFarthestSum
                          ? least_base(2 * static_cast<std::int64_t>(spectrum->pairs()), scene.length - 1)
                          : std::nullopt;
    arrays[0].values[0] = first ? static_cast<double>(*first) : std::numeric_limits<double>::quiet_NaN();
    arrays[1].values[0] = base.value_or(std::numeric_limits<double>::quiet_NaN());
    return {};
}

}  // namespace

extern const Quantity kBaseForLength{"base", base_shapes, fill_base};
extern const Quantity kFrequencies{"frequencies", frequency_shapes, fill_frequencies};
extern const Quantity kPhase{"phase", phase_shapes, fill_phase};
extern const Quantity kTurns{"turns", turn_shapes, fill_turns};
extern const Quantity kCache{"cache", cache_shapes, fill_cache};

}  // namespace posiscope
