// turning.hpp — how the pairs of an encoding rotate: the only place that multiplies a frequency by a position.
// The token at p has a place on each axis, and pair i of it rotates by φ = ω_i times its place on the pair's axis:
//   place    p itself, or its column, row or time in a grid (axes.hpp), or a typed function of p
// When a query and a key meet, the product of their pairs i sees one rotation, by ω_i times the distance of their places, or
// times what a typed formula or chunks make of that distance:
//   Re q_i k̄_i e^(jφ) · size_i,  size_i = e^(growth_i · distance) · amplitude_i(distance)
// Units    φ in radians, places and distances in positions, keys at query − distance.
// Error    exact phases where a place is a whole number, else 2^-53 of the angle.
#pragma once

#include "core/encodings/axes.hpp"

#include <functional>
#include <memory>

namespace posiscope {

struct Turning {
    Spectrum spectrum;
    PairAxes axes{};  // empty, or not parted: every place is the token's number
    // Empty functions: the token's number, the distance of the places, 1.
    std::function<double(std::int64_t token)> position{};
    std::function<double(double apart, std::int64_t query, std::int64_t key)> distance{};
    std::function<double(std::size_t pair, double apart)> amplitude{};
    bool distance_by_tokens = false;  // `distance` is a function of both tokens, not of `apart` alone
    double distance_units = 0.0;  // core/cost.hpp: of one `distance`, both `position`s and all `amplitude`s
    std::int64_t centre = 0;      // growth is measured from −centre, on a query upwards, on a key downwards

    std::size_t pairs() const { return spectrum.pairs(); }
    // Every pair of every token p is rotated by p ω_i, so that what is true of one distance is true of all tokens.
    bool steady() const { return !axes.parted && !position && !distance && !amplitude; }
    // The product that a query and a key see depends on their distance alone.
    bool by_distance() const { return !axes.parted && !position && !distance_by_tokens; }
    // A token has an angle of its own; with a typed distance, or in chunks, only a query and a key together have one.
    bool of_tokens() const { return !distance; }
    double place(std::size_t pair, std::int64_t token) const;
    PairAngle angle(std::size_t pair, std::int64_t token) const;  // of_tokens()
    double apart(std::size_t pair, std::int64_t query, std::int64_t key) const;
    double seen(std::size_t pair, std::int64_t query,
                std::int64_t key) const;  // the distance that is rotated
    PairAngle between(std::size_t pair, std::int64_t query, std::int64_t key) const;
    double size(std::size_t pair, std::int64_t query, std::int64_t key) const;

    // Rotates the features of a token, of_tokens(), with its lengths. x [≥ 2·pairs]; features past the pairs are unchanged.
    void rotate(Side side, std::int64_t token, PairLayout layout, std::span<double> x) const;
};

// Refused where nothing rotates (encoding.no_spectrum).
Result<Turning> turning_of(const SpectrumInput& scene);

// Why an angle is no multiple of the position for all tokens; nothing where it is, or where nothing rotates.
std::optional<Problem> unsteady(const SpectrumInput& scene);

// The spectrum for whoever multiplies it by a position or a distance: refused where it is unsteady.
Result<Spectrum> steady_spectrum_of(const SpectrumInput& scene);

// How far pair i of a steady spectrum turns over that many positions, in radians.
inline double radians_over(const Spectrum& steady, std::size_t pair, double positions) {
    return steady.frequency[pair] * positions;
}

// ω_i times this is the arc that pair i covers over `length` tokens: their number; in a grid the size of the pair's axis; of
// typed positions their range; of distances the largest. Each is at most what the layer's window or chunks let a query see.
// Refused where so many distances are too many to be tried.
Result<std::vector<double>> reaches_of(const SpectrumInput& scene, std::int64_t length);

// Makes the Action rotate where query and key meet: what their product gains by it, over the `offset` first features, which
// rotate with nothing. `factor` multiplies the whole product.
struct MeetingPlan {
    PairLayout layout = PairLayout::interleaved;
    std::size_t offset = 0;
    double factor = 1.0;
    double units = 0.0;  // spent for each new distance
};
void rotate_where_they_meet(Action& action, std::shared_ptr<const Turning> turning, MeetingPlan plan);

}  // namespace posiscope
