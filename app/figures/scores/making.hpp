// making.hpp — how curves are computed: what they are made from, at which distances, and their range. logits.cpp, pairs.cpp,
// seeds.cpp and all.cpp have the modes, difference.cpp B − A.
#pragma once

#include "app/figures/scores/curves.hpp"

namespace posiscope::figures::scores {

inline constexpr std::int64_t kMostSamples = 4097;

// The values that one set of curves is made from.
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
inline Samples samples_of(const CurvesKey& key) { return samples(key.from, key.to, key.most); }
// The samples that curves were made of.
Samples samples_again(const Curves& curves);
void place(Curves& curves, const Samples& s);

// Gets every value of the first curve, once.
using Observe = std::function<void(std::span<const double>)>;

// The values at every column's first distance, and its band over as many of its distances as `work` units are enough for.
std::optional<Problem> fill(Curves& curves, Samples s, double work, const Evaluate& evaluate,
                            const Observe& observe = {});
// Columns that begin at curves.at, each up to the next one: of `in_column` of its distances.
std::optional<Problem> fill_columns(Curves& curves, const Evaluate& evaluate);
// The units that one set of curves may take.
inline double band_work(double exact_work) { return 0.05 * exact_work; }
inline double band_work(const CurvesKey& key) { return key.bands ? band_work(key.exact_work) : 1.0; }

// A head's logits: by distance where they are a function of it, else of the query at n − 1.
Result<std::vector<double>> logits(const ScoreInput& scene, std::int64_t head, std::int64_t first,
                                   std::int64_t stride, std::int64_t count,
                                   std::optional<std::int64_t>& query);
// The same as one row for fill(); `input` and `query` outlive it.
Evaluate logits_of(const ScoreInput& input, std::int64_t head, std::optional<std::int64_t>& query);

// The number of keys that the last query sees.
std::int64_t keys_of_last(const ScoreInput& scene);

// The modes.
void make_logits(Curves& curves, const CurvesKey& key);
void make_weight(Curves& curves, const CurvesKey& key);
void make_scores(Curves& curves, const CurvesKey& key);
void make_shares(Curves& curves, const CurvesKey& key);
void make_envelope(Curves& curves, const CurvesKey& key);
void make_seeds(Curves& curves, const CurvesKey& key);

// B − A of the first curves, over all distances of A's columns; a rough one has those values alone that both took.
struct DifferenceKey {
    Kept<Curves> a, b;
    double exact_work = kExactWork;
    bool operator==(const DifferenceKey&) const = default;
};
Curves less(const DifferenceKey& key);
Curves rough_less(const DifferenceKey& key);

// Sets the range; a value that no picture holds becomes NaN.
void measure(Curves& curves);

// The curves of every encoding; null while any of them is computed.
Kept<Curves> together(const Scene& scene, Derived& derived);

}  // namespace posiscope::figures::scores
