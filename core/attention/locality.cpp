#include "core/attention/locality.hpp"
#include "core/attention/placed.hpp"

#include "core/attention/head.hpp"
#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/jobs/parallel_for.hpp"
#include "core/numeric/softmax.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace posiscope {
namespace {

// The cost of one logit: its product, its share of a softmax and its place among the sums.
double units_of(double width) { return 0.25 * width + 10.0; }

constexpr double kMostTogether = 0x1p25;  // doubles of the heads that are counted at the same time: 256 MiB

std::size_t bin_of(std::int64_t distance) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(distance)));
}

// The sums over one head's queries.
struct Sums {
    std::span<double> weights;  // by bin
    double& distance;
    double part;  // of one query

    // The keys at distances 1, 2, …; `share_at` gives their weights.
    template <class Share>
    void add(std::int64_t count, const Share& share_at) {
        for (std::int64_t first = 1; first <= count; first *= 2) {
            double sum = 0.0, far = 0.0;
            for (std::int64_t apart = first; apart < std::min(2 * first, count + 1); ++apart) {
                const double share = share_at(static_cast<std::size_t>(apart));
                sum += share;
                far += share * static_cast<double>(apart);
            }
            weights[bin_of(first)] += part * sum;
            distance += part * far;
        }
    }
};

// One head's sums over the sampled queries. A block of them meets only the keys that one of them sees.
Result<void> add_head(const Sight& sight, const Head& head, std::span<const std::int64_t> queries,
                      std::span<const std::int64_t> keys, std::span<double> weights, double& distance) {
    auto sides = head.sides(queries, keys);
    if (!sides) return tl::unexpected(sides.error());
    auto& [q, k] = *sides;
    const auto all = static_cast<std::int64_t>(keys.size());
    Sums sums{weights, distance, 1.0};
    double asked = 0.0;  // the queries that see a key: pads see none
    Rows block;
    for (std::size_t begin = 0; begin < queries.size(); begin += kBlock) {
        const auto some = queries.subspan(begin, std::min<std::size_t>(kBlock, queries.size() - begin));
        Sight::Run met = sight.seen(some.front(), all);
        for (const std::int64_t query : some) {
            const Sight::Run seen = sight.seen(query, all);
            met = {std::min(met.first, seen.first), std::max(met.end, seen.end)};
        }
        spend(static_cast<double>(met.size()) * static_cast<double>(some.size()) *
              units_of(static_cast<double>(q.cols())));
        Rows asking = q.middleRows(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(some.size()));
        Rows answering =
            k.middleRows(static_cast<Eigen::Index>(met.first), static_cast<Eigen::Index>(met.size()));
        block.noalias() = asking * answering.transpose();
        head.finish(block, asking, some, answering,
                    keys.subspan(static_cast<std::size_t>(met.first), static_cast<std::size_t>(met.size())));
        for (std::size_t i = 0; i < some.size(); ++i) {
            const Sight::Run seen = sight.seen(some[i], all);
            const auto shares = Head::row(block, static_cast<Eigen::Index>(i))
                                    .subspan(static_cast<std::size_t>(seen.first - met.first),
                                             static_cast<std::size_t>(seen.size()));
            softmax(shares);
            if (std::ranges::all_of(shares, [](double share) { return share == 0.0; })) continue;
            asked += 1.0;
            const auto own = static_cast<std::size_t>(some[i] - seen.first);
            weights[0] += shares[own];
            sums.add(some[i] - seen.first, [&](std::size_t apart) { return shares[own - apart]; });
            sums.add(seen.end - some[i] - 1, [&](std::size_t apart) { return shares[own + apart]; });
        }
    }
    const double part = 1.0 / std::max(asked, 1.0);
    for (double& weight : weights) weight *= part;
    distance *= part;
    return {};
}

}  // namespace

std::int64_t local_bins(std::int64_t rows) { return static_cast<std::int64_t>(bin_of(rows - 1)) + 1; }

Result<Locality> locality(const TokenInput& whole, double units) {
    const TokenInput scene = attended_tokens(whole);
    const auto shape = attention_shape(scene);
    if (!shape) return tl::unexpected(shape.error());
    if (shape->keys > kMostLocalRows)
        return refuse("attention.long",
                      {{"rows", std::to_string(shape->keys)}, {"maximum", std::to_string(kMostLocalRows)}});
    const auto action = attention_action(scene);
    if (!action) return tl::unexpected(action.error());
    if (shape->keys > action->positions)
        return tl::unexpected(past_end(scene, shape->keys - 1, action->positions));

    const auto n = static_cast<double>(shape->keys), heads = static_cast<double>(shape->heads),
               width = static_cast<double>(shape->head_dim);
    const double met = (shape->sight.causal ? 0.5 : 1.0) * (units_of(width) + action->meeting_units());
    Locality made;
    // 64 queries say enough of a head; thousands of heads have fewer rather than minutes.
    const double afforded = units / (heads * n * met);
    const double queries = std::max({1.0, afforded, std::min(64.0, 4.0 * afforded)});
    if (queries < n) made.every = static_cast<std::int64_t>(n / queries) + 1;
    std::vector<std::int64_t> keys(static_cast<std::size_t>(shape->keys)), taken;
    std::iota(keys.begin(), keys.end(), 0);
    for (std::int64_t i = shape->keys - 1; i >= 0; i -= made.every) taken.push_back(i);
    std::reverse(taken.begin(), taken.end());

    const auto bins = static_cast<std::size_t>(local_bins(shape->keys));
    for (std::size_t b = 0; b < bins; ++b) made.first.push_back(b == 0 ? 0 : std::int64_t{1} << (b - 1));
    made.weights.assign(static_cast<std::size_t>(shape->heads) * bins, 0.0);
    made.distance.assign(static_cast<std::size_t>(shape->heads), 0.0);
    std::vector<Result<void>> added(made.distance.size());
    const double of_a_head = n * (2.0 * width + static_cast<double>(kBlock));
    const auto at_once = static_cast<std::size_t>(std::clamp(kMostTogether / of_a_head, 1.0, heads));
    jobs::parallel_for(added.size(), at_once, [&](std::size_t h) {
        const Head head(scene, *action, static_cast<std::int64_t>(h));
        added[h] = add_head(shape->sight, head, taken, keys, std::span(made.weights).subspan(h * bins, bins),
                            made.distance[h]);
    });
    for (const Result<void>& head : added)
        if (!head) return tl::unexpected(head.error());
    made.ranked.resize(made.distance.size());
    std::iota(made.ranked.begin(), made.ranked.end(), 0);
    std::stable_sort(made.ranked.begin(), made.ranked.end(), [&](std::int64_t a, std::int64_t b) {
        return made.distance[static_cast<std::size_t>(a)] < made.distance[static_cast<std::size_t>(b)];
    });
    return made;
}

}  // namespace posiscope
