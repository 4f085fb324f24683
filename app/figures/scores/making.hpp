// making.hpp — how curves are computed: what they are made from, at which distances, and their range. all.cpp has those of
// every encoding.
#pragma once

#include "app/figures/scores/curves.hpp"

namespace posiscope::figures::scores {

inline constexpr std::int64_t kMostSamples = 4097;
inline constexpr double kLargest = 1e30;  // xPos grows without bound: what no picture holds is left out

// What one set of curves is made from.
struct CurvesKey {
    Kept<ScoreInput> input;
    Kept<Scoring> scoring;  // of the modes that are about pairs on circles; else none
    Mode mode;
    std::int64_t head;
    double from, to;
    double exact_work = kExactWork;
    std::int64_t most = kMostSamples;
    bool operator==(const CurvesKey&) const = default;
};

struct Samples {
    std::int64_t first = 0, stride = 1, count = 1;
};

// From `from` to `to`, at multiples of the stride, so that panning does not make them flicker.
Samples samples(double from, double to, std::int64_t most);
void place(Curves& curves, const Samples& s);

// A head's logits: by distance where they are a function of it, else of the query at n − 1.
Result<std::vector<double>> logits(const ScoreInput& scene, std::int64_t head, const Samples& s,
                                   std::optional<std::int64_t>& query);

// Sets the range; a value that no picture holds becomes NaN.
void measure(Curves& curves);

// The curves of every encoding; null while any of them is computed.
Kept<Curves> together(const Scene& scene, Derived& derived);

}  // namespace posiscope::figures::scores
