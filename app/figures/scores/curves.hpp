// curves.hpp — what the Scores figure draws, as numbers: one or more curves over the distance Δ = query − key.
// Many distances are drawn as columns of `stride` of them, each with its least and largest value. Where even that is too much
// work, every `every`-th distance is taken, and the figure says so.
#pragma once

#include "app/figures/parts/derived.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace posiscope::figures::scores {

// dot, norm   of the two vectors
// logit       of head 0, content held fixed
// weight      softmax of these logits over the keys 0 … n − 1, seen by the query at n − 1
// shares      the dot product or logit, split into runs of neighbouring pairs
// envelope    RoFormer's bound; its distances are spread along log₁₀ Δ
// seeds       mean and standard deviation of the logit over seeds of random content
// all         every encoding's logit at Δ less that at 0, with this Scene's widths and content
enum class Mode { dot, norm, logit, weight, shares, envelope, seeds, all };
Mode mode_named(std::string_view name);
std::span<const std::string_view> modes_of(const Scene& scene);

// The values of some curves at first, first + stride, …
using Evaluate = std::function<Result<std::vector<std::vector<double>>>(
    std::int64_t first, std::int64_t stride, std::int64_t count)>;

struct Curve {
    std::string_view name = {};                 // all: the encoding's kind
    std::size_t first_pair = 0, last_pair = 0;  // shares
    std::vector<double> values = {};            // at Curves::at; NaN where there is none
    std::vector<double> band = {};              // least and largest of each column; empty: columns of one
    double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
};

struct Curves {
    std::vector<double> at;                        // Δ, ascending whole numbers
    std::int64_t stride = 1, every = 1, last = 0;  // last: of all that were asked for
    std::vector<Curve> curves;
    Evaluate row = {};              // curves[0] at any distances; none of shares, seeds and all
    bool rough = false;             // of few distances, until all are there
    std::int64_t in_column = 0;     // envelope: at most so many distances of a column are taken
    std::vector<double> deviation;  // seeds: σ beside curves[0]
    std::vector<double>
        around;  // seeds: least of mean − σ and largest of mean + σ in each column, if it has several
    std::size_t seeds = 0;
    std::int64_t taken = 0;             // envelope: how many distances, where those are not all
    double log_sum = 0.0;               // weight: ln Σ e^logit
    double largest_at = 0.0;            // weight: the distance of the largest
    std::optional<std::int64_t> query;  // the logits know more than the distance: they are of the query there
    std::optional<Problem> problem;     // nothing to draw, and why
    double least = 0.0, most = 0.0;

    // Whose distance is the last one up to this; none before the first.
    std::optional<std::size_t> column_of(std::int64_t distance) const {
        const auto next = std::upper_bound(at.begin(), at.end(), static_cast<double>(distance));
        if (next == at.begin() || at.empty() ||
            static_cast<double>(distance) > at.back() + static_cast<double>(stride))
            return std::nullopt;
        return static_cast<std::size_t>(next - at.begin()) - 1;
    }
};

// The curves between two distances (weight and all: from 0 to n − 1, whatever is in view). Kept until what they depend
// on changes: position, offset and pair are not part of it.
const Kept<Curves>& curves_of(const Scene& scene, Derived& derived, Mode mode, double from, double to);
// b − a where both have values; of the same mode and distances.
const Curves& difference(Derived& keeper, const Kept<Curves>& a, const Kept<Curves>& b);

// The value of curves[0] at one distance, from core itself; NaN where there is none.
double value_at(const Scene& scene, Derived& derived, Mode mode, const Curves& curves, std::int64_t distance);

// True if a value holds from half before to half after its distance: tables of buckets and of clipped distances.
bool stepped(std::string_view encoding);

}  // namespace posiscope::figures::scores
