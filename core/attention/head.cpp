#include "core/attention/head.hpp"

#include "core/cost.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

constexpr std::int64_t kSlice = std::int64_t{1} << 21;  // numbers

}  // namespace

SideContent side_content(const ScoreInput& scene, Tensor side, bool adds) {
    if (scene.content.kind != "vectors" || (side != Tensor::query && side != Tensor::key))
        return {Tensor::input, scene.d_model, false};
    return {side, adds ? scene.d_model : head_dim(scene), !adds};
}

bool projected_by_weights(const ScoreInput& scene) {
    return !is_stored(scene.content) && seeded_weights(scene.content);
}

Head::Head(const AttentionInput& scene, Action action, std::int64_t head)
    : scene_(scene), action_(action_of_head(std::move(action), head)), head_(head) {}

Result<std::pair<Rows, Rows>> Head::sides(std::span<const std::int64_t> queries,
                                          std::span<const std::int64_t> keys, Added added) const {
    auto q = side(Side::query, queries, added);
    if (!q) return tl::unexpected(q.error());
    auto k = side(Side::key, keys, added);
    if (!k) return tl::unexpected(k.error());
    return std::pair(std::move(*q), std::move(*k));
}

Result<Rows> Head::side(Side side, std::span<const std::int64_t> positions, Added added) const {
    auto made =
        is_stored(scene_.content) ? stored(side, positions) : Result<Rows>(projected(side, positions, added));
    if (made && is_stored(scene_.content) && added == Added::position_only)
        made->setZero();  // nothing is added to what is stored
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

Rows Head::projected(Side side, std::span<const std::int64_t> positions, Added added) const {
    const auto count = static_cast<Eigen::Index>(positions.size());
    const SideContent content = side_content(scene_, side == Side::query ? Tensor::query : Tensor::key,
                                             static_cast<bool>(action_.add));
    const auto width = static_cast<Eigen::Index>(head_dim(scene_)),
               d = static_cast<Eigen::Index>(content.width);
    const auto input = [&](Eigen::Index i, std::span<double> x) {
        const std::int64_t position = positions[static_cast<std::size_t>(i)];
        spend(4.0 * static_cast<double>(d) + (action_.add ? action_.cost : 0.0));
        std::fill(x.begin(), x.end(), 0.0);
        if (added != Added::position_only)
            content_values(scene_.content, content.tensor, input_row(scene_.content, position), x);
        if (added != Added::content_only && action_.add) action_.add(position, x);
    };
    Rows made(count, width);
    if (!seeded_weights(scene_.content)) {
        std::vector<double> x(static_cast<std::size_t>(d));
        for (Eigen::Index i = 0; i < count; ++i) {
            input(i, x);
            spend(3.0 * static_cast<double>(width));
            auto column = static_cast<std::size_t>(content.every_head ? 0 : head_ * width % d);
            for (Eigen::Index f = 0; f < width; ++f) {
                made(i, f) = x[column];
                if (++column == x.size()) column = 0;
            }
        }
        return made;
    }
    // In slices, so that neither the inputs nor W are ever held whole, and so that it can be stopped.
    const Eigen::Index slice = std::max<Eigen::Index>(kBlock, kSlice / d),
                       features = std::max<Eigen::Index>(1, kSlice / d);
    const Tensor tensor = side == Side::query ? Tensor::query_weight : Tensor::key_weight;
    const double size = 1.0 / std::sqrt(static_cast<double>(d));
    Rows x(std::min(slice, count), d), weight(std::min(features, width), d);
    for (Eigen::Index begin = 0; begin < count; begin += slice) {
        const Eigen::Index rows = std::min(slice, count - begin);
        for (Eigen::Index i = 0; i < rows; ++i) input(begin + i, row(x, i));
        for (Eigen::Index first = 0; first < width; first += features) {
            const Eigen::Index some = std::min(features, width - first);
            for (Eigen::Index f = 0; f < some; ++f) {
                spend(3.0 * static_cast<double>(d));
                content_values(scene_.content, tensor, head_ * width + first + f, row(weight, f));
            }
            const double of_row = 0.25 * static_cast<double>(d) * static_cast<double>(some);
            const auto at_once =
                static_cast<Eigen::Index>(std::clamp(kMostAtOnce / of_row, 1.0, static_cast<double>(kBlock)));
            for (Eigen::Index from = 0; from < rows; from += at_once) {
                const Eigen::Index block = std::min(at_once, rows - from);
                spend(static_cast<double>(block) * of_row);
                made.block(begin + from, first, block, some).noalias() =
                    size * x.middleRows(from, block) * weight.topRows(some).transpose();
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
        if (units < kSpendPerItem) spend(units * static_cast<double>(products.cols()));
        for (Eigen::Index j = 0; j < products.cols(); ++j) {
            if (units >= kSpendPerItem) spend(units);
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
