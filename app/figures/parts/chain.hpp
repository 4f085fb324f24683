// chain.hpp — a score as arrows laid head to tail: pair i adds q_i k̄_i e^{iΔω_i}, and the real part of all is the score.
#pragma once

#include "app/figures/parts/derived.hpp"

#include "core/scaling/trained.hpp"

namespace posiscope::figures {

// x[i], y[i]: where arrow i begins; x[pairs], y[pairs]: where the last one ends. It starts at what the features that do
// not turn add, and x.back() is score_at(form, spectrum, distance) to rounding.
struct Chain {
    std::vector<double> x, y;

    std::size_t arrows() const { return x.empty() ? 0 : x.size() - 1; }
    double score() const { return x.back(); }
    double share(std::size_t pair) const { return x[pair + 1] - x[pair]; }
    bool drawable() const;  // xPos grows without bound towards negative distances
};
// Kinds dot and logit.
Chain make_chain(const ScoreForm& form, const Spectrum& spectrum, std::int64_t distance);
void lay(Chain& chain, const ScoreForm& form, const Spectrum& spectrum, std::int64_t distance);

// Arrow by arrow what b has more than a; both of as many.
Chain difference(const Chain& a, const Chain& b);

// The sum of the arrows' lengths: the score when all of them point to the right.
double straight(const Chain& chain);

// The encodings whose score is such a sum: the spectrum, or null.
const Spectrum* summed(const Scene& scene, Derived& derived);

// The Sum figure's part of Derived.
struct Sums {
    struct Key {
        Kept<Scoring> scoring;
        std::int64_t distance;
        bool operator==(const Key&) const = default;
    };
    struct ReachKey {
        Kept<Scoring> scoring;
        std::int64_t length;
        bool operator==(const ReachKey&) const = default;
    };
    struct DifferenceKey {
        Kept<Scoring> a, b;
        std::int64_t distance;
        bool operator==(const DifferenceKey&) const = default;
    };
    struct ArcsKey {
        Kept<Rates> rates;
        Kept<SpectrumInput> input;
        bool operator==(const ArcsKey&) const = default;
    };
    Refilled<Key, Chain> now, before, lit;
    Refilled<DifferenceKey, Chain> less;  // B − A
    Memo<ReachKey, Rect> reach;
    Memo<ArcsKey, Result<std::vector<double>>> arcs;
};
// The arrows at a distance, kept in one of those.
const Chain& chain_of(Refilled<Sums::Key, Chain>& memo, const Kept<Scoring>& scoring, std::int64_t distance);

// The room that chains need at distances from 0 to the Scene's length: it stays while the offset is dragged. y up.
const Rect& reach(const Scene& scene, Derived& derived, ScoreKind kind);

// trained_arcs, kept; null where nothing is known of training.
const std::vector<double>* known_arcs(const Scene& scene, Derived& derived);
const Problem* arcs_problem(const Scene& scene, Derived& derived);

}  // namespace posiscope::figures
