#include "core/attention/expansion.hpp"

#include "core/content.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {
namespace {

// Room for `matrices` of [heads, n, n] at once.
std::optional<Problem> too_many(const Scene& scene, double matrices) {
    const auto n = static_cast<double>(scene.length);
    return too_large(matrices * static_cast<double>(scene.num_heads) * n * n);
}

}  // namespace

Result<Expansion> expansion(const Scene& scene) {
    if (auto problem = too_many(scene, 5.0)) return tl::unexpected(std::move(*problem));
    const auto sum = project(scene, Added::sum);
    if (!sum) return tl::unexpected(sum.error());
    const auto position = project(scene, Added::position_only);
    if (!position) return tl::unexpected(position.error());
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    Expansion result;
    result.shape = sum->shape;
    result.shape.causal = false;
    const auto logits = attention_logits(*action, result.shape, sum->q, sum->k);
    result.position_position = attention_logits(*action, result.shape, position->q, position->k);
    result.content_position = attention_logits(*action, result.shape, sum->q, position->k);
    result.position_content = attention_logits(*action, result.shape, position->q, sum->k);
    result.content_content.resize(logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double pp = result.position_position[i];
        const double cp = result.content_position[i] -= pp;
        const double pc = result.position_content[i] -= pp;
        const double cc = result.content_content[i] = logits[i] - cp - pc - pp;
        result.residual = std::max(result.residual, std::abs(((cc + cp) + pc) + pp - logits[i]));
    }
    return result;
}

Result<Concatenated> concatenated(const Scene& scene) {
    if (auto problem = too_many(scene, 2.0)) return tl::unexpected(std::move(*problem));
    auto content = project(scene, Added::content_only);
    if (!content) return tl::unexpected(content.error());
    auto position = project(scene, Added::position_only);
    if (!position) return tl::unexpected(position.error());
    Concatenated result;
    result.shape = content->shape;
    result.shape.causal = false;
    result.width = 2 * scene.d_model;
    const Action plain = plain_action(2 * result.shape.head_dim);
    result.content = attention_logits(plain, result.shape, std::move(content->q), std::move(content->k));
    result.position = attention_logits(plain, result.shape, std::move(position->q), std::move(position->k));
    return result;
}

Result<MixedScores> mixed_scores(const Scene& scene, std::int64_t query, std::int64_t key) {
    if (encoding_of(scene).acts != Acts::query_key)
        return refuse("encoding.no_layout", {{"kind", scene.encoding.kind}});
    const auto score = [&](Layout of_query, Layout of_key) -> Result<double> {
        double sum = 0.0;
        std::vector<double> q, k;
        for (std::int64_t f = 0; f < head_dim(scene); ++f) {
            q.push_back(content_value(scene.content, Tensor::query, 0, f));
            k.push_back(content_value(scene.content, Tensor::key, 0, f));
        }
        for (auto [side, layout, position, x] :
             {std::tuple{Side::query, of_query, query, &q}, std::tuple{Side::key, of_key, key, &k}}) {
            Scene laid = scene;
            laid.layout = layout;
            const auto action = action_of(laid);
            if (!action) return tl::unexpected(action.error());
            if (action->turn) action->turn(side, position, *x);
        }
        for (std::size_t f = 0; f < q.size(); ++f) sum += q[f] * k[f];
        return sum;
    };
    const auto mixed = score(Layout::interleaved, Layout::half);
    if (!mixed) return tl::unexpected(mixed.error());
    return MixedScores{*mixed, *score(Layout::interleaved, Layout::interleaved),
                       *score(Layout::half, Layout::half)};
}

}  // namespace posiscope
