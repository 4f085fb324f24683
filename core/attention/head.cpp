#include "core/attention/head.hpp"

#include "core/cost.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {

bool projected_by_weights(const ScoreInput& scene) {
    return !is_stored(scene.content) && seeded_weights(scene.content);
}

Head::Head(const AttentionInput& scene, Action action, std::int64_t head)
    : scene_(scene), action_(action_of_head(std::move(action), head)), head_(head) {}

Result<std::pair<Rows, Rows>> Head::sides(std::span<const std::int64_t> queries,
                                          std::span<const std::int64_t> keys) const {
    auto q = side(Side::query, queries);
    if (!q) return tl::unexpected(q.error());
    auto k = side(Side::key, keys);
    if (!k) return tl::unexpected(k.error());
    return std::pair(std::move(*q), std::move(*k));
}

Result<Rows> Head::side(Side side, std::span<const std::int64_t> positions) const {
    auto made =
        is_stored(scene_.content) ? stored(side, positions) : Result<Rows>(projected(side, positions));
    if (made && action_.turn)
        for (Eigen::Index i = 0; i < made->rows(); ++i) {
            spend(action_.cost);
            action_.turn(side, positions[static_cast<std::size_t>(i)], row(*made, i));
        }
    return made;
}

Result<Rows> Head::stored(Side side, std::span<const std::int64_t> positions) const {
    const auto rows =
        stored_rows(scene_, side == Side::query ? Tensor::query : Tensor::key, head_, scene_.length);
    if (!rows) return tl::unexpected(rows.error());
    const auto width = static_cast<Eigen::Index>(head_dim(scene_));
    Rows made(static_cast<Eigen::Index>(positions.size()), width);
    spend(static_cast<double>(made.size()));
    for (Eigen::Index i = 0; i < made.rows(); ++i)
        std::copy_n((*rows)->begin() +
                        static_cast<std::ptrdiff_t>(positions[static_cast<std::size_t>(i)] * width),
                    width, row(made, i).begin());
    return made;
}

Rows Head::projected(Side side, std::span<const std::int64_t> positions) const {
    const auto count = static_cast<Eigen::Index>(positions.size());
    const auto width = static_cast<Eigen::Index>(head_dim(scene_)),
               d = static_cast<Eigen::Index>(scene_.d_model);
    const std::int64_t first_feature = head_ * head_dim(scene_);
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
            content_values(scene_.content, tensor, first_feature + f,
                           {weight.row(f).data(), static_cast<std::size_t>(d)});
        }
        // In slices, so that it can be stopped.
        const double size = 1.0 / std::sqrt(static_cast<double>(d));
        for (Eigen::Index begin = 0; begin < count; begin += kBlock) {
            const Eigen::Index rows = std::min<Eigen::Index>(kBlock, count - begin);
            spend(0.25 * static_cast<double>(rows * d) * static_cast<double>(width));
            made.middleRows(begin, rows).noalias() = size * x.middleRows(begin, rows) * weight.transpose();
        }
    } else {
        for (Eigen::Index i = 0; i < count; ++i) {
            spend(3.0 * static_cast<double>(width));
            Eigen::Index column = first_feature % d;
            for (Eigen::Index f = 0; f < width; ++f) {
                made(i, f) = x(i, column);
                if (++column == d) column = 0;
            }
        }
    }
    return made;
}

void Head::finish(Eigen::Ref<Rows> products, Rows& q, std::span<const std::int64_t> queries, Rows& k,
                  std::span<const std::int64_t> keys) const {
    if (plain()) {
        products *= action_.scale;
        return;
    }
    const double units = action_.meeting_units();
    for (Eigen::Index i = 0; i < products.rows(); ++i) {
        if (units < kCountedAlone) spend(units * static_cast<double>(products.cols()));
        for (Eigen::Index j = 0; j < products.cols(); ++j) {
            if (units >= kCountedAlone) spend(units);
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

}  // namespace posiscope
