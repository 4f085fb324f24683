// trained.hpp — compares, pair by pair, the angles of training with those of the Scene.
// Trained  the Scene's `trained`: its settings and its length. Unknown while both are unset.
// Reach    the number of distances in n positions: n, or less where the layer's window or chunks bound them.
// Turns    ω_i × reach / 2π: the turns of pair i in that many steps; the largest distance is one step less.
// Unseen   a pair that did not finish its first turn in training and rotates further now: it meets single angles that
//          training did not contain. That all angles of a pair were seen says nothing about their combinations.
// Error    turns ≤ 2 ulp.
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

// ω_i × reach of trained.length of the trained Scene in radians, per pair: the end of the arc that training covered. A whole turn
// or more covers every angle. Empty without a trained length. Refused if the trained Scene rotates nothing, or another
// number of pairs than `spectrum` has.
Result<std::vector<double>> trained_arcs(const SpectrumInput& scene, const Spectrum& spectrum);

// True if an angle, in radians and of either sign, is past that arc.
bool past_arc(double arc, double angle);

// The effect of a scaling on a spectrum: ratio_i = ω'_i / ω_i.
struct Slowing {
    std::vector<double> ratio;
    std::size_t kept = 0;     // ratio 1
    std::size_t divided = 0;  // by the factor, the largest division there is
    std::size_t blended = 0;  // by less than that
    std::size_t stopped = 0;  // ratio 0
    double factor = 1.0;

    bool changes() const { return kept != ratio.size(); }
    bool operator==(const Slowing&) const = default;
};
Slowing slowing(const Spectrum& scaled, const Spectrum& unscaled);

// The difference of angles from those of the trained spectrum, at the end of a length.
struct Deviation {
    std::size_t changed = 0;  // frequencies off by more than 1 %
    std::size_t off = 0;      // angles off by more than a quarter turn
    double worst = 0.0;       // the largest difference, in turns
    std::size_t worst_pair = 0;

    bool operator==(const Deviation&) const = default;
};
Deviation deviation(const Spectrum& now, const Spectrum& trained, std::int64_t length);

// The pairs that meet unseen angles; not necessarily adjacent.
struct Unseen {
    std::size_t count = 0, first = 0, last = 0;
    bool contiguous() const { return count > 0 && last - first + 1 == count; }
};

struct Training {
    Spectrum now, unscaled;
    std::optional<Spectrum> trained;  // absent if training is unknown
    Slowing slowing, trained_slowing;
    std::int64_t reach = 1, trained_reach = 1;  // of the Scene's length and of trained.length
    std::string method, trained_method;         // rope_type; empty for an encoding without
    std::vector<double> turns;
    std::vector<double> trained_turns;  // empty without a trained length
    std::vector<bool> unseen;           // empty with it
    Unseen new_angles;
    std::optional<Deviation> deviation;  // of now from trained, at the Scene's length
};

// Refused if nothing rotates, and if the trained Scene has another number of pairs.
Result<Training> training_of(const SpectrumInput& scene);

}  // namespace posiscope
