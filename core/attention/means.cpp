#include "core/attention/means.hpp"

#include "core/cost.hpp"
#include "core/numeric/softmax.hpp"
#include "core/scene/content.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace posiscope {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kBlock = 64;  // queries per step

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

class Head {
public:
    Head(const AttentionInput& scene, Action action, std::int64_t head)
        : scene_(scene),
          action_(action_of_head(std::move(action), head)),
          first_feature_(head * head_dim(scene)) {}

    // One projection of the sampled positions, rotated: [count, head_dim].
    Rows projected(Side side, std::span<const std::int64_t> positions) const {
        const auto count = static_cast<Eigen::Index>(positions.size());
        const auto width = static_cast<Eigen::Index>(head_dim(scene_)),
                   d = static_cast<Eigen::Index>(scene_.d_model);
        Rows x = Rows::Zero(count, d);
        for (Eigen::Index i = 0; i < count; ++i) {
            const std::int64_t position = positions[static_cast<std::size_t>(i)];
            spend(4.0 * static_cast<double>(d) + (action_.add ? action_.cost : 0.0));
            const std::span<double> input(x.row(i).data(), static_cast<std::size_t>(d));
            content_values(scene_.content, Tensor::input, input_row(scene_.content, position), input);
            if (action_.add) action_.add(position, input);
        }
        Rows made(count, width);
        if (seeded_weights(scene_.content)) {
            Rows weight(width, d);
            const Tensor tensor = side == Side::query ? Tensor::query_weight : Tensor::key_weight;
            for (Eigen::Index f = 0; f < width; ++f) {
                spend(3.0 * static_cast<double>(d));
                content_values(scene_.content, tensor, first_feature_ + f,
                               {weight.row(f).data(), static_cast<std::size_t>(d)});
            }
            // In slices, so that it can be stopped.
            const double size = 1.0 / std::sqrt(static_cast<double>(d));
            for (Eigen::Index begin = 0; begin < count; begin += kBlock) {
                const Eigen::Index rows = std::min<Eigen::Index>(kBlock, count - begin);
                spend(0.25 * static_cast<double>(rows * d) * static_cast<double>(width));
                made.middleRows(begin, rows).noalias() =
                    size * x.middleRows(begin, rows) * weight.transpose();
            }
        } else {
            for (Eigen::Index i = 0; i < count; ++i) {
                spend(3.0 * static_cast<double>(width));
                Eigen::Index column = first_feature_ % d;
                for (Eigen::Index f = 0; f < width; ++f) {
                    made(i, f) = x(i, column);
                    if (++column == d) column = 0;
                }
            }
        }
        if (action_.turn)
            for (Eigen::Index i = 0; i < count; ++i) {
                spend(action_.cost);
                action_.turn(side, positions[static_cast<std::size_t>(i)], row(made, i));
            }
        return made;
    }

    // Turns products into logits, which they already are up to the scale if nothing else is added.
    void finish(Eigen::Ref<Rows> products, Rows& q, std::span<const std::int64_t> queries, Rows& k,
                std::span<const std::int64_t> keys) const {
        if (plain()) {
            products *= action_.scale;
            return;
        }
        for (Eigen::Index i = 0; i < products.rows(); ++i) {
            spend(action_.meeting_units() * static_cast<double>(products.cols()));
            for (Eigen::Index j = 0; j < products.cols(); ++j) {
                const std::int64_t query = queries[static_cast<std::size_t>(i)],
                                   key = keys[static_cast<std::size_t>(j)];
                if (scene_.causal && key > query) continue;
                double& logit = products(i, j);
                if (action_.content) logit += action_.content({0, query, key, row(q, i), row(k, j)});
                logit *= action_.scale;
                if (action_.weight) logit *= action_.weight(0, query, key);
                if (action_.bias) logit += action_.bias(0, query, key);
            }
        }
    }

    // Whether a logit is only the scaled product.
    bool plain() const { return !action_.content && !action_.weight && !action_.bias; }

    static std::span<double> row(Rows& rows, Eigen::Index i) {
        return {rows.row(i).data(), static_cast<std::size_t>(rows.cols())};
    }

private:
    const AttentionInput& scene_;
    Action action_;
    std::int64_t first_feature_;
};

// The samples: the queries in view; the keys before, in and after the view.
struct Plan {
    Taken queries, before, keys, behind;
    double vector = 0.0, meeting = 0.0, distance = 0.0;  // units: of one of each

    double cost(const AttentionInput& scene) const {
        const auto width = static_cast<double>(head_dim(scene)), d = static_cast<double>(scene.d_model);
        const double position = 4.0 * d + vector + (seeded_weights(scene.content) ? 0.25 * d * width : width);
        const double met = 0.25 * width + 12.0 + meeting * (scene.causal ? 0.6 : 1.0);
        const auto q = static_cast<double>(queries.count()),
                   k = static_cast<double>(before.count() + keys.count() + behind.count());
        return (q + k) * (position + distance) + q * k * met;
    }
    void take(std::int64_t every, std::int64_t every_beyond) {
        queries.every = keys.every = every;
        before.every = behind.every = every_beyond;
    }
};

// First thins the keys that are only summed, down to a thousand, then the view as well.
Plan plan_of(const AttentionInput& scene, const AttentionView& view, const Action& action, double units) {
    Plan plan;
    plan.vector = action.vector_units();
    plan.meeting = action.meeting_units();
    plan.distance = action.distance_cost;
    plan.queries = touched(view.rows, scene.length);
    plan.keys = touched(view.columns, scene.length);
    const std::int64_t end = scene.causal ? plan.queries.last : scene.length;
    plan.before = {0, std::min(plan.keys.first, end), 1};
    plan.behind = {plan.keys.last, end, 1};
    constexpr std::int64_t kEnough = 1024;
    const auto thinner = [](std::int64_t every) { return every + std::max<std::int64_t>(1, every / 8); };
    std::int64_t every = 1, beyond = 1;
    while (plan.cost(scene) > units &&
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

// The weights of one query: for each sampled key, the weight of one of the positions it represents.
void shares_of(std::int64_t query, bool causal, std::span<const std::int64_t> keys,
               std::span<const std::int64_t> stands_for, std::span<double> logits) {
    std::size_t seen = keys.size();
    if (causal) {
        // Keys are in order.
        seen = static_cast<std::size_t>(std::upper_bound(keys.begin(), keys.end(), query) - keys.begin());
        std::fill(logits.begin() + static_cast<std::ptrdiff_t>(seen), logits.end(), 0.0);
    }
    if (seen == 0) return;
    softmax(logits.first(seen), [&](std::size_t j) {
        return causal ? std::min(stands_for[j], query - keys[j] + 1) : stands_for[j];
    });
}

}  // namespace

Result<AttentionMeans> attention_means(const AttentionInput& whole, const AttentionView& view, double units) {
    const AttentionInput scene = attended(whole);
    if (const auto shape = attention_shape(scene); !shape) return tl::unexpected(shape.error());
    auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    if (scene.length > action->positions)
        return tl::unexpected(past_table(scene.length - 1, action->positions));
    const Plan plan = plan_of(scene, view, *action, units);
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
    Rows q = head.projected(Side::query, queries), k = head.projected(Side::key, keys);
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
            shares_of(queries[static_cast<std::size_t>(at)], scene.causal, keys, stands_for, shares);
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
