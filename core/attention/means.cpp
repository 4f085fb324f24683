#include "core/attention/means.hpp"
#include "core/attention/placed.hpp"

#include "core/attention/head.hpp"
#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/numeric/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

constexpr double kMostBytes = 0x1p27;

// Positions `first` … `last` − 1, sampled with a stride.
struct Taken {
    std::int64_t first = 0, last = 0, every = 1;
    std::int64_t count() const { return last > first ? (last - first + every - 1) / every : 0; }
    std::int64_t at(std::int64_t i) const { return first + i * every; }
    std::int64_t stands_for(std::int64_t i) const { return std::min(every, last - at(i)); }
};

// The cells that a range touches.
Taken touched(const Range& range, std::int64_t end) {
    const auto clamped = [&](double place) {
        return std::clamp<std::int64_t>(range.origin + static_cast<std::int64_t>(place), 0, end);
    };
    return {clamped(std::floor(range.first)), clamped(std::ceil(range.last)), 1};
}

// The samples: the queries in view; the keys before, in and after the view.
struct Plan {
    Taken queries, before, keys, behind;
    double vector = 0.0, meeting = 0.0, distance = 0.0;  // units: of one of each

    double cost(const AttentionInput& scene) const {
        const auto width = static_cast<double>(head_dim(scene)), d = static_cast<double>(scene.d_model);
        const double position = 4.0 * d + vector + (projected_by_weights(scene) ? 0.25 * d * width : width);
        const double met = 0.25 * width + 12.0 + meeting * (scene.causal ? 0.6 : 1.0);
        const auto q = static_cast<double>(queries.count()),
                   k = static_cast<double>(before.count() + keys.count() + behind.count());
        return (q + k) * (position + distance) + q * k * met;
    }
    // q and k, and the logits of some queries.
    double bytes(const AttentionInput& scene) const {
        const auto q = static_cast<double>(queries.count()),
                   k = static_cast<double>(before.count() + keys.count() + behind.count());
        return 8.0 * (static_cast<double>(head_dim(scene)) * (q + k) + static_cast<double>(kBlock) * k);
    }
    void take(std::int64_t every, std::int64_t every_beyond) {
        queries.every = keys.every = every;
        before.every = behind.every = every_beyond;
    }
};

// First thins the keys that are only summed, down to a thousand, then the view as well.
Plan plan_of(const AttentionInput& scene, const Sight& sight, const AttentionView& view, const Action& action,
             double units) {
    Plan plan;
    plan.vector = action.vector_units();
    plan.meeting = action.meeting_units();
    plan.distance = action.distance_cost;
    plan.queries = touched(view.rows, scene.length);
    plan.keys = touched(view.columns, scene.length);
    // The keys that any of the queries sees.
    const std::int64_t last = std::max<std::int64_t>(plan.queries.last - 1, 0);
    const std::int64_t begin = sight.seen(plan.queries.first, scene.length).first,
                       end = sight.seen(last, scene.length).end;
    plan.before = {begin, std::min(plan.keys.first, end), 1};
    plan.behind = {std::max(plan.keys.last, begin), end, 1};
    constexpr std::int64_t kEnough = 1024;
    const auto thinner = [](std::int64_t every) { return every + std::max<std::int64_t>(1, every / 8); };
    std::int64_t every = 1, beyond = 1;
    while ((plan.cost(scene) > units || plan.bytes(scene) > kMostBytes) &&
           plan.queries.count() + plan.keys.count() + plan.before.count() + plan.behind.count() > 4) {
        const bool rest = plan.before.count() + plan.behind.count() > kEnough;
        if (rest) beyond = thinner(beyond);
        else every = thinner(every);
        beyond = std::max(beyond, every);
        plan.take(every, beyond);
    }
    return plan;
}

std::vector<std::int64_t> positions_of(std::initializer_list<Taken> all) {
    std::vector<std::int64_t> positions;
    for (const Taken& taken : all)
        for (std::int64_t i = 0; i < taken.count(); ++i) positions.push_back(taken.at(i));
    return positions;
}

// The view's range, in samples instead of cells.
Range in_taken(const Range& range, const Taken& taken) {
    const auto shift = static_cast<double>(range.origin - taken.first);
    const auto every = static_cast<double>(taken.every);
    return {0, (range.first + shift) / every, (range.last + shift) / every};
}

double weight_of(const Covers& covers, const Cover& cover, std::int64_t cell) {
    return cell == cover.first                     ? cover.first_weight
           : cell == cover.first + cover.count - 1 ? cover.last_weight
                                                   : covers.inner;
}

// The weights of a query that sees a run of keys: for each sampled key, the mean over the positions it represents, of which
// some may not be seen.
void shares_of(const Sight::Run& seen, std::span<const std::int64_t> keys,
               std::span<const std::int64_t> stands_for, std::span<double> logits) {
    // Keys are in order; the first may represent positions that are seen though it is not.
    auto from =
        static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), seen.first) - keys.begin());
    if (from > 0 && keys[from - 1] + stands_for[from - 1] > seen.first) --from;
    const auto to =
        static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), seen.end) - keys.begin());
    std::fill_n(logits.begin(), from, 0.0);
    std::fill(logits.begin() + static_cast<std::ptrdiff_t>(to), logits.end(), 0.0);
    if (from == to) return;
    const auto seen_of = [&](std::size_t j) {
        return std::min(keys[j] + stands_for[j], seen.end) - std::max(keys[j], seen.first);
    };
    softmax(logits.subspan(from, to - from), [&](std::size_t j) { return seen_of(from + j); });
    for (std::size_t j = from; j < to; ++j)
        logits[j] *= static_cast<double>(seen_of(j)) / static_cast<double>(stands_for[j]);
}

}  // namespace

Result<AttentionMeans> attention_means(const TokenInput& whole, const AttentionView& view, double units) {
    const TokenInput scene = attended_tokens(whole);
    const auto shape = attention_shape(scene);
    if (!shape) return tl::unexpected(shape.error());
    auto action = attention_action(scene);
    if (!action) return tl::unexpected(action.error());
    if (scene.length > action->positions)
        return tl::unexpected(past_end(scene, scene.length - 1, action->positions));
    const Sight sight = shape->sight;
    const Plan plan = plan_of(scene, sight, view, *action, units);
    const Head head(scene, std::move(*action), view.head);
    const std::vector<std::int64_t> queries = positions_of({plan.queries}),
                                    keys = positions_of({plan.before, plan.keys, plan.behind});
    std::vector<std::int64_t> stands_for;
    for (const Taken& taken : {plan.before, plan.keys, plan.behind})
        for (std::int64_t i = 0; i < taken.count(); ++i) stands_for.push_back(taken.stands_for(i));

    AttentionMeans made;
    made.every = plan.queries.every;
    made.every_beyond = plan.before.every;
    made.values.assign(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height), 0.0F);
    if (queries.empty() || plan.keys.count() == 0) return made;
    auto sides = head.sides(queries, keys);
    if (!sides) return tl::unexpected(sides.error());
    auto& [q, k] = *sides;
    Covers down, across;
    cover_range(in_taken(view.rows, plan.queries), plan.queries.count(), view.height, down);
    cover_range(in_taken(view.columns, plan.keys), plan.keys.count(), view.width, across);

    // Row by row: each adds its part to the pixels that contain it, which are consecutive.
    const auto first_key = static_cast<Eigen::Index>(plan.before.count());
    Rows block, pixels = Rows::Zero(view.height, view.width);
    std::vector<double> row(static_cast<std::size_t>(view.width));
    int from = 0;
    for (std::int64_t begin = 0; begin < plan.queries.count(); begin += kBlock) {
        const auto count = static_cast<Eigen::Index>(std::min(kBlock, plan.queries.count() - begin));
        spend(static_cast<double>(count) * static_cast<double>(keys.size()) *
              (0.25 * static_cast<double>(q.cols()) + 12.0));
        Rows some = q.middleRows(static_cast<Eigen::Index>(begin), count);
        block.noalias() = some * k.transpose();
        head.finish(block, some, std::span(queries).subspan(static_cast<std::size_t>(begin)), k, keys);
        for (Eigen::Index i = 0; i < count; ++i) {
            const std::span<double> shares = Head::row(block, i);
            const std::int64_t at = begin + i;
            shares_of(sight.seen(queries[static_cast<std::size_t>(at)], scene.length), keys, stands_for,
                      shares);
            for (std::size_t x = 0; x < row.size(); ++x) {
                const Cover& cover = across.pixels[x];
                row[x] = 0.0;
                for (std::int64_t c = cover.first; c < cover.first + cover.count; ++c)
                    row[x] += weight_of(across, cover, c) * shares[static_cast<std::size_t>(first_key + c)];
            }
            const Eigen::Map<const Eigen::RowVectorXd> values(row.data(), view.width);
            while (from < view.height && down.pixels[static_cast<std::size_t>(from)].first +
                                                 down.pixels[static_cast<std::size_t>(from)].count <=
                                             at)
                ++from;
            for (int y = from; y < view.height && down.pixels[static_cast<std::size_t>(y)].first <= at; ++y)
                pixels.row(y) += weight_of(down, down.pixels[static_cast<std::size_t>(y)], at) * values;
        }
    }
    std::copy_n(pixels.data(), made.values.size(), made.values.begin());
    std::vector<double> shown;
    std::copy_if(pixels.data(), pixels.data() + pixels.size(), std::back_inserter(shown),
                 [](double mean) { return mean > 0.0; });
    if (shown.empty()) return made;
    const auto most = shown.begin() + static_cast<std::ptrdiff_t>(99 * (shown.size() - 1) / 100);
    std::nth_element(shown.begin(), most, shown.end());
    made.usual = *most;
    made.largest = *std::max_element(most, shown.end());
    return made;
}

}  // namespace posiscope
