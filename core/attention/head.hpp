// head.hpp — one head of attention at any positions: their projections, rotated, and their logits, block by block.
#pragma once

#include "core/attention/attention.hpp"
#include "core/scene/content.hpp"

#include <Eigen/Core>
#include <utility>

namespace posiscope {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline constexpr std::int64_t kBlock = 64;  // queries per step
inline constexpr double kMostAtOnce = 2e6;  // units of one

// The vectors that a side (query, key, value) is made of: x, or the side's own where content gives them (`vectors`), of `width`
// numbers. A head takes its features from these; where nothing is added to x, each head has the given ones from the first on.
struct SideContent {
    Tensor tensor;
    std::int64_t width;
    bool every_head;
};
SideContent side_content(const ScoreInput& scene, Tensor side, bool adds);

// True if q and k are x times a seeded W; else they are features of x, or stored.
bool projected_by_weights(const ScoreInput& scene);

class Head {
public:
    Head(const AttentionInput& scene, Action action, std::int64_t head);

    // q and k at these positions, rotated: [count, head_dim] each. `added`: the part of x_i + p_i that is projected.
    Result<std::pair<Rows, Rows>> sides(std::span<const std::int64_t> queries,
                                        std::span<const std::int64_t> keys, Added added = Added::sum) const;

    // Turns products into logits, which they already are up to the scale if nothing else is added.
    void finish(Eigen::Ref<Rows> products, Rows& q, std::span<const std::int64_t> queries, Rows& k,
                std::span<const std::int64_t> keys) const;

    static std::span<double> row(Rows& rows, Eigen::Index i) {
        return {rows.row(i).data(), static_cast<std::size_t>(rows.cols())};
    }

private:
    Result<Rows> side(Side side, std::span<const std::int64_t> positions, Added added) const;
    Rows projected(Side side, std::span<const std::int64_t> positions, Added added) const;
    Result<Rows> stored(Side side, std::span<const std::int64_t> positions) const;
    // True if a logit is only the scaled product.
    bool plain() const { return !action_.content && !action_.weight && !action_.bias; }

    const AttentionInput& scene_;
    Action action_;
    std::int64_t head_ = 0;
};

}  // namespace posiscope
