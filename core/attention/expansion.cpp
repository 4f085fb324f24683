#include "core/attention/expansion.hpp"

#include "core/attention/head.hpp"
#include "core/attention/placed.hpp"
#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/rotation.hpp"
#include "core/encodings/turning.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope {
namespace {

constexpr double kContent = 10.0;        // units of one feature of the content
constexpr Sight kOpen{.causal = false};  // every query sees every key

// Room for `matrices` of [heads, n, n] at once.
std::optional<Problem> too_many(const AttentionInput& scene, double matrices) {
    const auto n = static_cast<double>(scene.length);
    return too_large(matrices * static_cast<double>(scene.num_heads) * n * n);
}

// Some rows of one head, where every query meets every key.
struct Corner {
    TokenInput scene;
    AttentionShape shape;
    Action action;
    std::vector<std::int64_t> queries, keys;
    std::optional<TokenRow> row;  // of ids: what they hide is no number

    static Result<Corner> of(const TokenInput& whole, const RowsAsked& asked) {
        Corner made;
        made.scene = attended_tokens(whole);
        made.scene.causal = false;
        const auto shape = attention_shape(made.scene);
        if (!shape) return tl::unexpected(shape.error());
        made.shape = {1, shape->head_dim, asked.queries.size(), asked.keys.size(), kOpen};
        auto action = attention_action(made.scene, false);
        if (!action) return tl::unexpected(action.error());
        if (made.scene.length > action->positions)
            return tl::unexpected(past_end(made.scene, made.scene.length - 1, action->positions));
        made.action = std::move(*action);
        made.row = TokenRow::of(made.scene);
        for (std::int64_t i = asked.queries.first; i < asked.queries.end; ++i) made.queries.push_back(i);
        for (std::int64_t j = asked.keys.first; j < asked.keys.end; ++j) made.keys.push_back(j);
        return made;
    }

    std::vector<double> logits(const Head& head, Rows& q, Rows& k) const {
        const double of_row = static_cast<double>(k.rows()) * (0.25 * static_cast<double>(q.cols()) + 4.0);
        const auto at_once =
            static_cast<Eigen::Index>(std::clamp(kMostAtOnce / of_row, 1.0, static_cast<double>(kBlock)));
        Rows products(q.rows(), k.rows());
        for (Eigen::Index begin = 0; begin < q.rows(); begin += at_once) {
            const Eigen::Index some = std::min(at_once, q.rows() - begin);
            spend(static_cast<double>(some) * of_row);
            products.middleRows(begin, some).noalias() = q.middleRows(begin, some) * k.transpose();
        }
        head.finish(products, q, queries, k, keys);
        if (row)
            for (std::size_t i = 0; i < queries.size(); ++i)
                for (std::size_t j = 0; j < keys.size(); ++j)
                    if (row->hides(queries[i], keys[j]) != TokenRow::Cause::none)
                        products(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = std::nan("");
        return {products.data(), products.data() + products.size()};
    }
};

Sight::Run all_rows(const AttentionInput& scene) { return {0, scene.length}; }

void append(std::vector<double>& all, const std::vector<double>& one) {
    all.insert(all.end(), one.begin(), one.end());
}

}  // namespace

Result<Expansion> expansion(const TokenInput& whole, RowsAsked asked) {
    const auto corner = Corner::of(whole, asked);
    if (!corner) return tl::unexpected(corner.error());
    const Head head(corner->scene, corner->action, asked.head);
    auto sum = head.sides(corner->queries, corner->keys, Added::sum);
    if (!sum) return tl::unexpected(sum.error());
    auto position = head.sides(corner->queries, corner->keys, Added::position_only);
    if (!position) return tl::unexpected(position.error());
    Expansion result;
    result.shape = corner->shape;
    const auto logits = corner->logits(head, sum->first, sum->second);
    result.position_position = corner->logits(head, position->first, position->second);
    result.content_position = corner->logits(head, sum->first, position->second);
    result.position_content = corner->logits(head, position->first, sum->second);
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

Result<Expansion> expansion(const TokenInput& whole) {
    const TokenInput scene = attended_tokens(whole);
    if (auto problem = too_many(scene, 5.0)) return tl::unexpected(std::move(*problem));
    const auto shape = attention_shape(scene);
    if (!shape) return tl::unexpected(shape.error());
    Expansion result;
    result.shape = *shape;
    result.shape.sight = kOpen;
    for (std::int64_t h = 0; h < shape->heads; ++h) {
        const auto one = expansion(scene, {h, all_rows(scene), all_rows(scene)});
        if (!one) return tl::unexpected(one.error());
        append(result.content_content, one->content_content);
        append(result.content_position, one->content_position);
        append(result.position_content, one->position_content);
        append(result.position_position, one->position_position);
        result.residual = std::max(result.residual, one->residual);
    }
    return result;
}

Result<Concatenated> concatenated(const TokenInput& whole, RowsAsked asked) {
    const auto corner = Corner::of(whole, asked);
    if (!corner) return tl::unexpected(corner.error());
    Action plain = plain_action(2 * corner->shape.head_dim);
    plain.add = corner->action.add;
    plain.cost = corner->action.cost;
    const Head head(corner->scene, std::move(plain), asked.head);
    auto content = head.sides(corner->queries, corner->keys, Added::content_only);
    if (!content) return tl::unexpected(content.error());
    auto position = head.sides(corner->queries, corner->keys, Added::position_only);
    if (!position) return tl::unexpected(position.error());
    Concatenated result;
    result.shape = corner->shape;
    result.width = 2 * corner->scene.d_model;
    result.content = corner->logits(head, content->first, content->second);
    result.position = corner->logits(head, position->first, position->second);
    return result;
}

Result<Concatenated> concatenated(const TokenInput& whole) {
    const TokenInput scene = attended_tokens(whole);
    if (auto problem = too_many(scene, 2.0)) return tl::unexpected(std::move(*problem));
    const auto shape = attention_shape(scene);
    if (!shape) return tl::unexpected(shape.error());
    Concatenated result;
    result.shape = *shape;
    result.shape.sight = kOpen;
    result.width = 2 * scene.d_model;
    for (std::int64_t h = 0; h < shape->heads; ++h) {
        const auto one = concatenated(scene, {h, all_rows(scene), all_rows(scene)});
        if (!one) return tl::unexpected(one.error());
        append(result.content, one->content);
        append(result.position, one->position);
    }
    return result;
}

namespace {

// One side's content, the same at each of `count` positions, rotated in a layout: [count, head_dim]. `order`, if any,
// is the feature that each place takes.
Result<std::vector<double>> turned(const ScoreInput& scene, Side side, PairLayout layout, std::int64_t first,
                                   std::int64_t count, std::span<const std::int64_t> order = {}) {
    if (encoding_of(scene).acts != Acts::query_key)
        return refuse("encoding.no_layout", {{"kind", scene.encoding.kind}});
    ScoreInput laid = scene;
    laid.layout = layout;
    const auto action = action_of(laid);
    if (!action) return tl::unexpected(action.error());
    if (!action->turn)  // nothing rotates by itself, or nothing at all
        if (auto problem = unsteady(scene)) return tl::unexpected(std::move(*problem));
    if (first + count > action->positions)
        return tl::unexpected(past_end(scene, first + count - 1, action->positions));
    const Tensor tensor = side == Side::query ? Tensor::query : Tensor::key;
    const auto width = static_cast<std::size_t>(head_dim(scene));
    std::vector<double> own(width), rows(static_cast<std::size_t>(count) * width);
    spend(kContent * static_cast<double>(width));
    content_values(scene.content, tensor, 0, own);
    for (std::int64_t i = 0; i < count; ++i) {
        spend(action->cost + static_cast<double>(width));
        const auto x = std::span(rows).subspan(static_cast<std::size_t>(i) * width, width);
        for (std::size_t f = 0; f < width; ++f)
            x[f] = own[order.empty() ? f : static_cast<std::size_t>(order[f])];
        if (action->turn) action->turn(side, first + i, x);
    }
    return rows;
}

// Every row of q against every row of k.
std::vector<double> products(const std::vector<double>& q, const std::vector<double>& k, std::size_t width) {
    std::vector<double> scores;
    scores.reserve(q.size() / width * (k.size() / width));
    for (auto x = q.begin(); x != q.end(); x += static_cast<std::ptrdiff_t>(width)) {
        spend(1.3 * static_cast<double>(k.size()));
        for (auto y = k.begin(); y != k.end(); y += static_cast<std::ptrdiff_t>(width))
            scores.push_back(std::inner_product(x, x + static_cast<std::ptrdiff_t>(width), y, 0.0));
    }
    return scores;
}

Result<MixedMatrix> mixed_between(const ScoreInput& scene, std::int64_t query, std::int64_t key,
                                  std::int64_t count) {
    const auto interleaved_q = turned(scene, Side::query, PairLayout::interleaved, query, count);
    if (!interleaved_q) return tl::unexpected(interleaved_q.error());
    const auto interleaved_k = turned(scene, Side::key, PairLayout::interleaved, key, count);
    const auto half_q = turned(scene, Side::query, PairLayout::halves, query, count);
    const auto half_k = turned(scene, Side::key, PairLayout::halves, key, count);
    for (const auto* side : {&interleaved_k, &half_q, &half_k})
        if (!*side) return tl::unexpected(side->error());
    const auto width = static_cast<std::size_t>(head_dim(scene));
    return MixedMatrix{products(*interleaved_q, *half_k, width),
                       products(*interleaved_q, *interleaved_k, width), products(*half_q, *half_k, width)};
}

}  // namespace

Result<MixedScores> mixed_scores(const ScoreInput& scene, std::int64_t query, std::int64_t key) {
    return mixed_between(scene, query, key, 1).map([](const MixedMatrix& made) {
        return MixedScores{made.mixed[0], made.interleaved[0], made.half[0]};
    });
}

Result<MixedMatrix> mixed_matrix(const ScoreInput& scene) {
    const auto n = static_cast<double>(scene.length);
    if (auto problem = too_large(3.0 * n * n + 4.0 * n * static_cast<double>(head_dim(scene))))
        return tl::unexpected(std::move(*problem));
    return mixed_between(scene, 0, 0, scene.length);
}

Result<MixedAlong> mixed_along(const ScoreInput& scene, std::int64_t query, std::int64_t key,
                               std::int64_t count) {
    const std::int64_t width = head_dim(scene);
    if (auto problem = too_large(6.0 * static_cast<double>(count) * static_cast<double>(width)))
        return tl::unexpected(std::move(*problem));
    const auto order = to_halves(encoding_of(scene).pairs(scene), width);
    const auto side = [&](Side of, PairLayout layout, std::span<const std::int64_t> by = {}) {
        return turned(scene, of, layout, of == Side::query ? query : key, count, by);
    };
    const auto interleaved_q = side(Side::query, PairLayout::interleaved);
    if (!interleaved_q) return tl::unexpected(interleaved_q.error());
    const auto interleaved_k = side(Side::key, PairLayout::interleaved);
    const auto half_q = side(Side::query, PairLayout::halves), half_k = side(Side::key, PairLayout::halves);
    const auto permuted_q = side(Side::query, PairLayout::halves, order),
               permuted_k = side(Side::key, PairLayout::halves, order);
    for (const auto* other : {&interleaved_k, &half_q, &half_k, &permuted_q, &permuted_k})
        if (!*other) return tl::unexpected(other->error());
    const auto row_by_row = [&](const std::vector<double>& q, const std::vector<double>& k) {
        spend(1.3 * static_cast<double>(q.size()));
        std::vector<double> scores;
        scores.reserve(static_cast<std::size_t>(count));
        const auto features = static_cast<std::ptrdiff_t>(width);
        for (std::ptrdiff_t at = 0; at < std::ssize(q); at += features)
            scores.push_back(
                std::inner_product(q.begin() + at, q.begin() + at + features, k.begin() + at, 0.0));
        return scores;
    };
    return MixedAlong{row_by_row(*interleaved_q, *half_k), row_by_row(*interleaved_q, *interleaved_k),
                      row_by_row(*half_q, *half_k), row_by_row(*permuted_q, *permuted_k)};
}

}  // namespace posiscope
