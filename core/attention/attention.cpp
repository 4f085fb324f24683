#include "core/attention/attention.hpp"

#include "core/attention/head.hpp"
#include "core/attention/placed.hpp"
#include "core/cost.hpp"
#include "core/encodings/encodings.hpp"
#include "core/numeric/softmax.hpp"
#include "core/scene/content.hpp"
#include "core/scene/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

namespace posiscope {
namespace {

std::span<double> row(std::vector<double>& values, std::int64_t index, std::int64_t width) {
    return std::span(values).subspan(static_cast<std::size_t>(index * width),
                                     static_cast<std::size_t>(width));
}

std::span<const double> row(std::span<const double> values, std::int64_t index, std::int64_t width) {
    return values.subspan(static_cast<std::size_t>(index * width), static_cast<std::size_t>(width));
}

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t f = 0; f < a.size(); ++f) sum += a[f] * b[f];
    return sum;
}

void turn_all(const Action& action, Side side, const AttentionShape& shape, std::int64_t rows,
              std::vector<double>& x) {
    if (!action.turn) return;
    const std::int64_t first = side == Side::query ? shape.keys - shape.queries : 0;
    for (std::int64_t h = 0; h < shape.heads; ++h)
        for (std::int64_t i = 0; i < rows; ++i) {
            spend(action.cost);
            action.turn(side, first + i, row(x, h * rows + i, shape.head_dim));
        }
}

// The cost of one logit with all its parts.
double units_of(const Action& action, std::int64_t head_dim) {
    return 5.0 + static_cast<double>(head_dim) + action.meeting_units();
}

double logit_of(const Action& action, const Meeting& at) {
    double score = dot(at.q, at.k);
    if (action.content) score += action.content(at);
    double logit = action.scale * score;
    if (action.weight) logit *= action.weight(at.head, at.query, at.key);
    if (action.bias) logit += action.bias(at.head, at.query, at.key);
    return logit;
}

// out [n, H·D] = x [n, d] Wᵀ, stored as [H, n, D]. Each sum runs over the columns in order, all rows at once.
std::vector<double> projected(const AttentionInput& scene, Tensor tensor, std::span<const double> x,
                              const AttentionShape& shape, std::int64_t d) {
    const std::int64_t inner = shape.heads * shape.head_dim;
    const auto n = static_cast<std::size_t>(shape.keys), width = static_cast<std::size_t>(d);
    std::vector<double> out(static_cast<std::size_t>(inner) * n);
    const auto place = [&](std::int64_t feature, std::size_t i) -> double& {
        const auto head = static_cast<std::size_t>(feature / shape.head_dim);
        return out[(head * n + i) * static_cast<std::size_t>(shape.head_dim) +
                   static_cast<std::size_t>(feature % shape.head_dim)];
    };
    if (!seeded_weights(scene.content)) {
        for (std::int64_t feature = 0; feature < inner; ++feature) {
            spend(2.0 * static_cast<double>(n));
            for (std::size_t i = 0; i < n; ++i)
                place(feature, i) = x[i * width + static_cast<std::size_t>(feature % d)];
        }
        return out;
    }
    std::vector<double> across(x.size()), weight(width), sums(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t column = 0; column < width; ++column) across[column * n + i] = x[i * width + column];
    const double size = 1.0 / std::sqrt(static_cast<double>(d));
    for (std::int64_t feature = 0; feature < inner; ++feature) {
        spend((3.0 + 0.5 * static_cast<double>(n)) * static_cast<double>(width));
        content_values(scene.content, tensor, feature, weight);
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t column = 0; column < width; ++column) {
            const double w = size * weight[column];
            const double* const inputs = &across[column * n];
            for (std::size_t i = 0; i < n; ++i) sums[i] += inputs[i] * w;
        }
        for (std::size_t i = 0; i < n; ++i) place(feature, i) = sums[i];
    }
    return out;
}

// q and k as they are stored, of all heads. There are no values.
Result<Projected> from_files(const AttentionInput& scene, const AttentionShape& shape, Added added,
                             std::span<const std::int64_t> order) {
    const auto size = static_cast<std::size_t>(shape.heads * shape.keys * shape.head_dim);
    if (auto problem = too_large(3.0 * static_cast<double>(size))) return tl::unexpected(std::move(*problem));
    Projected made{shape, std::vector<double>(size), std::vector<double>(size), std::vector<double>(size)};
    if (added == Added::position_only) return made;  // nothing is added to what is stored
    for (const Tensor side : {Tensor::query, Tensor::key})
        for (std::int64_t h = 0; h < shape.heads; ++h) {
            const auto rows = stored_rows(scene, side, h, shape.keys);
            if (!rows) return tl::unexpected(rows.error());
            std::vector<double>& all = side == Tensor::query ? made.q : made.k;
            for (std::int64_t i = 0; i < shape.keys; ++i) {
                const auto from = row(std::span<const double>(**rows),
                                      order.empty() ? i : order[static_cast<std::size_t>(i)], shape.head_dim);
                std::copy(from.begin(), from.end(), row(all, h * shape.keys + i, shape.head_dim).begin());
            }
        }
    return made;
}

}  // namespace

Result<AttentionShape> attention_shape(const AttentionInput& scene) {
    if (auto problem = stored_problem(scene)) return tl::unexpected(std::move(*problem));
    if (!scene.head_dim && scene.d_model % scene.num_heads != 0)
        return refuse("attention.heads", {{"heads", std::to_string(scene.num_heads)},
                                          {"d_model", std::to_string(scene.d_model)}});
    if (scene.length == 0) return refuse("content.no_words");
    return AttentionShape{scene.num_heads, head_dim(scene), scene.length, scene.length, sight_of(scene)};
}

std::optional<Problem> too_large(double values) {
    if (values <= kLargestOutput) return std::nullopt;
    return Problem{"output.too_large",
                   {{"bytes", to_text(8.0 * values)}, {"maximum", to_text(8.0 * kLargestOutput)}},
                   Cause::failure};
}

std::optional<Problem> no_number(std::span<const double> input, std::int64_t position) {
    const auto bad =
        std::find_if(input.begin(), input.end(), [](double value) { return !(std::abs(value) < 1e100); });
    if (bad == input.end()) return std::nullopt;
    return Problem{
        "attention.no_number",
        {{"position", std::to_string(position)}, {"dimension", std::to_string(bad - input.begin())}}};
}

std::vector<double> attention_logits(const Action& action, const AttentionShape& shape, std::vector<double> q,
                                     std::vector<double> k) {
    turn_all(action, Side::query, shape, shape.queries, q);
    turn_all(action, Side::key, shape, shape.keys, k);
    std::vector<double> all(static_cast<std::size_t>(shape.heads * shape.queries * shape.keys),
                            -std::numeric_limits<double>::infinity());
    for (std::int64_t h = 0; h < shape.heads; ++h)
        for (std::int64_t i = 0; i < shape.queries; ++i) {
            const std::int64_t position = shape.keys - shape.queries + i, at = h * shape.queries + i;
            const auto logits = row(all, at, shape.keys);
            const double units = units_of(action, shape.head_dim);
            const Sight::Run seen = shape.sight.seen(position, shape.keys);
            if (units < kSpendPerItem) spend(units * static_cast<double>(seen.size()));
            for (std::int64_t j = seen.first; j < seen.end; ++j) {
                if (units >= kSpendPerItem) spend(units);
                logits[static_cast<std::size_t>(j)] =
                    logit_of(action, {h, position, j, row(q, at, shape.head_dim),
                                      row(k, h * shape.keys + j, shape.head_dim)});
            }
        }
    return all;
}

Attention attend(const Action& action, const AttentionShape& shape, std::vector<double> q,
                 std::vector<double> k, std::span<const double> v) {
    Attention result;
    result.shape = shape;
    result.logits = attention_logits(action, shape, std::move(q), std::move(k));
    result.weights.assign(result.logits.size(), 0.0);
    result.output.assign(static_cast<std::size_t>(shape.heads * shape.queries * shape.head_dim), 0.0);
    for (std::int64_t h = 0; h < shape.heads; ++h)
        for (std::int64_t i = 0; i < shape.queries; ++i) {
            const std::int64_t position = shape.keys - shape.queries + i, at = h * shape.queries + i;
            const Sight::Run seen = shape.sight.seen(position, shape.keys);
            const auto logits = row(result.logits, at, shape.keys);
            const auto shares = row(result.weights, at, shape.keys);
            spend(static_cast<double>(seen.size() * (20 + shape.head_dim)));
            const auto first = static_cast<std::size_t>(seen.first),
                       count = static_cast<std::size_t>(seen.size());
            const auto among = shares.subspan(first, count);
            std::ranges::copy(logits.subspan(first, count), among.begin());
            softmax(among);
            const auto output = row(result.output, at, shape.head_dim);
            for (std::int64_t j = seen.first; j < seen.end; ++j) {
                const double share = shares[static_cast<std::size_t>(j)];
                const auto value = row(v, h * shape.keys + j, shape.head_dim);
                for (std::size_t f = 0; f < output.size(); ++f) output[f] += share * value[f];
                if (action.value) action.value(h, position, j, share, output);
            }
        }
    return result;
}

Action action_of_head(Action action, std::int64_t head) {
    if (action.content)
        action.content = [head, inner = std::move(action.content)](const Meeting& at) {
            Meeting there = at;
            there.head += head;
            return inner(there);
        };
    for (auto* by_head : {&action.weight, &action.bias})
        if (*by_head)
            *by_head = [head, inner = std::move(*by_head)](std::int64_t h, std::int64_t query,
                                                           std::int64_t key) {
                return inner(h + head, query, key);
            };
    if (action.value)
        action.value = [head, inner = std::move(action.value)](
                           std::int64_t h, std::int64_t query, std::int64_t key, double share,
                           std::span<double> output) { inner(h + head, query, key, share, output); };
    return action;
}

AttentionInput attended(AttentionInput scene) {
    scene.length = content_length(scene);
    return scene;
}

Result<Projected> project(const AttentionInput& whole, Added added, std::span<const std::int64_t> order) {
    const AttentionInput scene = attended(whole);
    if (const auto shape = attention_shape(scene); !shape) return tl::unexpected(shape.error());
    const auto action = attention_action(scene);
    if (!action) return tl::unexpected(action.error());
    return project_by(scene, *action, added, order);
}

Result<Projected> project_by(const AttentionInput& scene, const Action& action, Added added,
                             std::span<const std::int64_t> order) {
    const auto shape = attention_shape(scene);
    if (!shape) return tl::unexpected(shape.error());
    if (scene.length > action.positions)
        return tl::unexpected(past_end(scene, scene.length - 1, action.positions));
    if (is_stored(scene.content)) return from_files(scene, *shape, added, order);
    const double wide = static_cast<double>(scene.length) *
                        static_cast<double>(std::max(scene.d_model, shape->heads * shape->head_dim));
    if (auto problem = too_large(4.0 * wide)) return tl::unexpected(std::move(*problem));
    Projected made{*shape, {}, {}, {}};
    std::vector<double> x;
    std::optional<SideContent> of;  // x
    for (const auto& [side, weight, out] : {std::tuple{Tensor::query, Tensor::query_weight, &made.q},
                                            std::tuple{Tensor::key, Tensor::key_weight, &made.k},
                                            std::tuple{Tensor::value, Tensor::value_weight, &made.v}}) {
        const SideContent content = side_content(scene, side, static_cast<bool>(action.add));
        if (!of || of->tensor != content.tensor) {
            of = content;
            x.assign(static_cast<std::size_t>(scene.length * content.width), 0.0);
            for (std::int64_t i = 0; i < scene.length; ++i) {
                const auto input = row(x, i, content.width);
                const std::int64_t token = order.empty() ? i : order[static_cast<std::size_t>(i)];
                if (added != Added::position_only)
                    content_values(scene.content, content.tensor, input_row(scene.content, token), input);
                if (added != Added::content_only && action.add) action.add(i, input);
                if (auto problem = no_number(input, i)) return tl::unexpected(std::move(*problem));
            }
        }
        *out = projected(scene, weight, x, *shape, content.width);
    }
    return made;
}

Result<Attention> attention(const AttentionInput& scene) { return token_attention(scene); }

Result<Attention> token_attention(const TokenInput& whole) {
    const TokenInput scene = attended_tokens(whole);
    const double n = static_cast<double>(scene.length);
    if (auto problem = too_large(2.0 * static_cast<double>(scene.num_heads) * n * n))
        return tl::unexpected(std::move(*problem));
    const auto action = attention_action(scene);
    if (!action) return tl::unexpected(action.error());
    auto made = project_by(scene, *action);
    if (!made) return tl::unexpected(made.error());
    made->shape.sight = sight_of(scene);
    return attend(*action, made->shape, std::move(made->q), std::move(made->k), made->v);
}

Result<std::vector<double>> input_table(const ActionInput& scene, std::int64_t first, std::int64_t count) {
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    if (!action->add) return refuse("encoding.no_table", {{"kind", scene.encoding.kind}});
    if (first + count > action->positions)
        return tl::unexpected(past_end(scene, first + count - 1, action->positions));
    if (auto problem = too_large(static_cast<double>(count) * static_cast<double>(scene.d_model)))
        return tl::unexpected(std::move(*problem));
    std::vector<double> table(static_cast<std::size_t>(count * scene.d_model), 0.0);
    for (std::int64_t i = 0; i < count; ++i) {
        spend(action->cost);
        action->add(first + i, row(table, i, scene.d_model));
    }
    return table;
}

Result<DistanceLogit> DistanceLogit::of(const ScoreInput& scene, std::int64_t head,
                                        std::optional<std::int64_t> query) {
    if (auto problem = stored_problem(scene)) return tl::unexpected(std::move(*problem));
    if (head < 0 || head >= scene.num_heads)
        return refuse("attention.no_head",
                      {{"head", std::to_string(head)}, {"last", std::to_string(scene.num_heads - 1)}});
    auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    if (!query && (action->add || !action->by_distance))
        return refuse("encoding.not_by_distance", {{"kind", scene.encoding.kind}});
    if (query && *query >= action->positions)
        return tl::unexpected(past_end(scene, *query, action->positions));
    DistanceLogit made;
    const std::int64_t width = head_dim(scene);
    // A head's feature takes x[feature mod d_model], as in project(); if nothing is added, x is the content itself.
    const auto d = action->add ? scene.d_model : width;
    made.begin_ = action->add ? head * width : 0;
    made.action_ = std::move(*action);
    made.head_ = head;
    made.query_ = query;
    spend(10.0 * static_cast<double>(d));
    if (is_stored(scene.content))
        for (const Tensor side : {Tensor::query, Tensor::key})
            if (const auto fixed = stored_vector(scene.content, side); !fixed)
                return tl::unexpected(fixed.error());
    made.query_content_.resize(static_cast<std::size_t>(d));
    made.key_content_.resize(static_cast<std::size_t>(d));
    content_values(scene.content, Tensor::query, 0, made.query_content_);
    content_values(scene.content, Tensor::key, 0, made.key_content_);
    if (made.action_.waves) {
        LogitWaves waves =
            made.action_.waves({head, query.value_or(0), made.query_content_, made.key_content_});
        ScoreForm& form = made.waves_.emplace();
        form.growth = waves.spectrum.growth;
        form.even = std::move(waves.even);
        form.odd = std::move(waves.odd);
        form.constant = waves.constant;
        made.spectrum_ = std::move(waves.spectrum);
        return made;
    }
    made.q_.resize(static_cast<std::size_t>(width));
    made.k_.resize(static_cast<std::size_t>(width));
    made.placed_ = !made.action_.add && !made.action_.turn;
    if (made.placed_) made.place(made.key_content_, Side::key, 0, made.k_);
    if (made.placed_) made.place(made.query_content_, Side::query, 0, made.q_);
    else if (query) made.place(made.query_content_, Side::query, *query, made.q_);
    return made;
}

void DistanceLogit::place(const std::vector<double>& content, Side side, std::int64_t position,
                          std::vector<double>& placed) {
    spend(action_.vector_units() + static_cast<double>(content.size()));
    whole_ = content;
    if (action_.add) action_.add(position, whole_);
    for (std::size_t f = 0; f < placed.size(); ++f)
        placed[f] = whole_[(static_cast<std::size_t>(begin_) + f) % whole_.size()];
    if (action_.turn) action_.turn(side, position, placed);
}

bool DistanceLogit::seen(std::int64_t distance) const {
    const std::int64_t key = query_.value_or(std::max<std::int64_t>(distance, 0)) - distance;
    return key >= 0 && key < action_.positions;
}

double DistanceLogit::with_beside(double logit, std::int64_t query, std::int64_t key) const {
    if (!action_.beside_waves) return logit;
    if (action_.weight) logit *= action_.weight(head_, query, key);
    if (action_.bias) logit += action_.bias(head_, query, key);
    return logit;
}

double DistanceLogit::at(std::int64_t distance) {
    if (!seen(distance)) return std::numeric_limits<double>::quiet_NaN();
    const std::int64_t query = query_.value_or(std::max<std::int64_t>(distance, 0)), key = query - distance;
    if (waves_) return with_beside(score_at(*waves_, spectrum_, distance), query, key);
    if (!placed_ && !query_) place(query_content_, Side::query, query, q_);
    if (!placed_) place(key_content_, Side::key, key, k_);
    spend(units_of(action_, static_cast<std::int64_t>(k_.size())));
    return logit_of(action_, {head_, query, key, q_, k_});
}

void DistanceLogit::along(std::int64_t first, std::int64_t stride, std::span<double> logits) {
    const auto distance = [&](std::size_t n) { return first + static_cast<std::int64_t>(n) * stride; };
    if (!waves_) {
        for (std::size_t n = 0; n < logits.size(); ++n) logits[n] = at(distance(n));
        return;
    }
    score_curve(*waves_, spectrum_, first, stride, logits);
    for (std::size_t n = 0; n < logits.size(); ++n) {
        const std::int64_t query = query_.value_or(std::max<std::int64_t>(distance(n), 0));
        logits[n] = seen(distance(n)) ? with_beside(logits[n], query, query - distance(n))
                                      : std::numeric_limits<double>::quiet_NaN();
    }
}

namespace {

Result<std::vector<double>> logits_at(Result<DistanceLogit> logit, std::int64_t first, std::int64_t stride,
                                      std::int64_t count) {
    if (!logit) return tl::unexpected(logit.error());
    if (auto problem = too_large(static_cast<double>(count))) return tl::unexpected(std::move(*problem));
    std::vector<double> logits(static_cast<std::size_t>(count));
    logit->along(first, stride, logits);
    return logits;
}

}  // namespace

Result<std::vector<double>> logits_by_distance(const ScoreInput& scene, std::int64_t head, std::int64_t first,
                                               std::int64_t stride, std::int64_t count) {
    return logits_at(DistanceLogit::of(scene, head), first, stride, count);
}

Result<std::vector<double>> logits_of_query(const ScoreInput& scene, std::int64_t head, std::int64_t query,
                                            std::int64_t first, std::int64_t stride, std::int64_t count) {
    return logits_at(DistanceLogit::of(scene, head, query), first, stride, count);
}

}  // namespace posiscope
