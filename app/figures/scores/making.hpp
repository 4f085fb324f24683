// making.hpp — how curves are computed: what they are made from, at which distances, and their range. all.cpp has those of
// every encoding.
#pragma once

#include "app/figures/scores/curves.hpp"

#include <functional>

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
    bool bands = true;  // false: a column's first distance stands for all of them
    bool operator==(const CurvesKey&) const = default;
};

// Columns of `stride` distances; every `every`-th of them is taken.
struct Samples {
    std::int64_t first = 0, stride = 1, count = 1, every = 1, last = 0;
};

// From `from` to `to`, at multiples of the stride, so that panning does not make them flicker.
Samples samples(double from, double to, std::int64_t most);
void place(Curves& curves, const Samples& s);

// The values of some curves at first, first + stride, …
using Evaluate = std::function<Result<std::vector<std::vector<double>>>(
    std::int64_t first, std::int64_t stride, std::int64_t count)>;
// Gets every value of the first curve, once.
using Observe = std::function<void(std::span<const double>)>;

// The values at every column's first distance, and its band over as many of its distances as `work` units are enough for.
std::optional<Problem> fill(Curves& curves, Samples s, double work, const Evaluate& evaluate,
                            const Observe& observe = {});
// The units that one set of curves may take.
inline double band_work(const CurvesKey& key) { return key.bands ? 0.05 * key.exact_work : 1.0; }

// A head's logits: by distance where they are a function of it, else of the query at n − 1.
Result<std::vector<double>> logits(const ScoreInput& scene, std::int64_t head, std::int64_t first,
                                   std::int64_t stride, std::int64_t count,
                                   std::optional<std::int64_t>& query);
// The same as one row for fill(); `input` and `query` outlive it.
Evaluate logits_of(const ScoreInput& input, std::int64_t head, std::optional<std::int64_t>& query);

// Sets the range; a value that no picture holds becomes NaN.
void measure(Curves& curves);

// The curves of every encoding; null while any of them is computed.
Kept<Curves> together(const Scene& scene, Derived& derived);

}  // namespace posiscope::figures::scores
