// attention.cpp — attention for the Scene's content, projections, heads and mask (core/attention).
// bias       bias[num_heads, length, length], added to the logits by the encoding; 0 where a causal query does not see
// logits     logits[num_heads, length, length], with the encoding's own scale; −∞ where a query does not see
// attention  attention[num_heads, length, length], the softmax of these: every row sums to 1
// expansion  content_content, content_position, position_content, position_position and sum, their logit: each
//            [num_heads, length, length], every pair of positions whatever the mask (core/attention/expansion.hpp);
//            residual, the largest |sum − logit|
// mixed      mixed, interleaved, half[length, length]: q·k without the scale, q interleaved against k half, and both
//            in one layout; content fixed as in `scores`. Only `mixed` depends on more than the distance.
// outputs    concat[length, num_heads · head_dim], every head's output side by side; outputs[length, d_model], that times
//            W_o; spread[length], the standard deviation of each row (core/attention/joined.hpp)
// With `tokens` as content, attention has one row per word, whatever the length. With `view.ids` rows are tokens: bias,
// logits, attention, expansion and outputs are by their ids, and what these hide is −∞, 0 and no number.
// Rows are queries, columns keys.  Error  ≤ head_dim · 2^-53 · Σ|q k|.
#include "core/attention/expansion.hpp"
#include "core/attention/joined.hpp"
#include "core/attention/placed.hpp"
#include "core/attention/rows.hpp"
#include "core/cost.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <array>

namespace posiscope {
namespace {

// The heads and queries that are asked for, of those that there are.
struct Asked {
    std::int64_t first_head = 0, end_head = 0, keys = 0;
    Sight::Run rows;

    static Result<Asked> of(const Scene& scene, const Slice& slice) {
        const std::int64_t n = content_length(scene);
        Asked made{0, scene.num_heads, n, {0, n}};
        if (slice.head) {
            if (*slice.head < 0 || *slice.head >= scene.num_heads)
                return refuse("attention.no_head", {{"head", std::to_string(*slice.head)},
                                                    {"last", std::to_string(scene.num_heads - 1)}});
            made.first_head = *slice.head;
            made.end_head = *slice.head + 1;
        }
        if (slice.rows) {
            made.rows = {slice.rows->first, std::min(slice.rows->end, n)};
            if (made.rows.first < 0 || made.rows.first >= made.rows.end)
                return refuse("slice.rows", {{"first", std::to_string(slice.rows->first)},
                                             {"last", std::to_string(n - 1)}});
        }
        return made;
    }
    Shape shape(const Slice& slice, std::string_view name) const {
        const Axis query{"query", rows.first}, key{"key"};
        if (slice.head) return {name, {rows.size(), keys}, "", {query, key}};
        return {name, {end_head - first_head, rows.size(), keys}, "", {{"head"}, query, key}};
    }
    RowsAsked of_head(std::int64_t head) const { return {head, rows, {0, keys}}; }
};

Result<std::vector<Shape>> shapes_of(const Scene& scene, const Slice& slice,
                                     std::initializer_list<std::string_view> names) {
    return Asked::of(scene, slice).map([&](const Asked& asked) {
        std::vector<Shape> shapes;
        for (const std::string_view name : names) shapes.push_back(asked.shape(slice, name));
        return shapes;
    });
}

// Head by head: `one(head)` gives what each array gets of it.
template <class One>
Result<void> fill_heads(const Scene& scene, const Slice& slice, std::span<Array> arrays, const One& one) {
    const auto asked = Asked::of(scene, slice);
    if (!asked) return tl::unexpected(asked.error());
    for (std::int64_t h = asked->first_head; h < asked->end_head; ++h) {
        const auto size = static_cast<std::size_t>(asked->rows.size() * asked->keys);
        const auto made = one(asked->of_head(h));
        if (!made) return tl::unexpected(made.error());
        for (std::size_t a = 0; a < made->size(); ++a)
            std::copy_n(
                (*made)[a].begin(), size,
                arrays[a].values.begin() +
                    static_cast<std::ptrdiff_t>(static_cast<std::size_t>(h - asked->first_head) * size));
    }
    return {};
}

using Matrices = std::vector<std::vector<double>>;

double head_matrices(const Scene& scene, const Slice& slice, double count) {
    const auto asked = Asked::of(scene, slice);
    return asked ? count * static_cast<double>(asked->rows.size()) * static_cast<double>(asked->keys) : 0.0;
}

// With its keys, a block of logits, and slices of the inputs and of W.
double head_workspace(const Scene& scene, const Slice& slice, double matrices) {
    const auto n = static_cast<double>(content_length(scene));
    return head_matrices(scene, slice, matrices) + n * (4.0 * static_cast<double>(head_dim(scene)) + 128.0) +
           0x1p23;
}

// Seeded weights have d_model² numbers that are made one by one, for every head and twice each of q and k, and cost more
// than everything else where d_model is large. Of each head, projections of so many positions in all are made.
void announce_projections(const Scene& scene, std::int64_t heads, double matrices, double positions) {
    if (!seeded_weights(scene.content)) return;
    const double cells = static_cast<double>(scene.d_model) * static_cast<double>(head_dim(scene));
    announce(static_cast<double>(heads) * cells * (3.0 * matrices + 0.25 * positions));
}

// The work for q and k, `times` times, and for the keys that are queries, once more.
void announce_heads(const Scene& scene, const Slice& slice, double times, double again) {
    const auto asked = Asked::of(scene, slice);
    if (!asked) return;
    const auto rows = static_cast<double>(asked->rows.size()), keys = static_cast<double>(asked->keys);
    announce_projections(scene, asked->end_head - asked->first_head, 2.0 * times + again,
                         times * (rows + keys) + again * rows);
}

Result<std::vector<Shape>> bias_shapes(const Scene& scene, const Slice& slice) {
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    if (!action->bias) return tl::unexpected(absent(scene, "bias"));
    return shapes_of(scene, slice, {"bias"});
}

double bias_workspace(const Scene& scene, const Slice& slice) { return head_matrices(scene, slice, 1.0); }

Result<void> fill_bias(const Scene& scene, const Slice& slice, std::span<Array> arrays) {
    const TokenInput tokens = attended_tokens(scene);
    const auto action = attention_action(tokens, false);
    if (!action) return tl::unexpected(action.error());
    const auto row = TokenRow::of(tokens);
    return fill_heads(scene, slice, arrays, [&](const RowsAsked& asked) -> Result<Matrices> {
        std::vector<double> bias;
        const double units = action->meeting_units();
        for (std::int64_t i = asked.queries.first; i < asked.queries.end; ++i)
            for (std::int64_t j = asked.keys.first; j < asked.keys.end; ++j) {
                spend(units);
                const bool unseen =
                    (scene.causal && j > i) || (row && row->hides(i, j) != TokenRow::Cause::none);
                bias.push_back(unseen ? 0.0 : action->bias(asked.head, i, j));
            }
        return Matrices{std::move(bias)};
    });
}

Result<std::vector<Shape>> logit_shapes(const Scene& scene, const Slice& slice) {
    return shapes_of(scene, slice, {"logits"});
}

Result<std::vector<Shape>> attention_shapes(const Scene& scene, const Slice& slice) {
    return shapes_of(scene, slice, {"attention"});
}

double attention_workspace(const Scene& scene, const Slice& slice) {
    return head_workspace(scene, slice, 2.0);
}

Result<void> fill_logits(const Scene& scene, const Slice& slice, std::span<Array> arrays) {
    announce_heads(scene, slice, 1.0, 1.0);
    return fill_heads(scene, slice, arrays, [&](const RowsAsked& asked) {
        return attention_rows(scene, asked).map([](AttentionRows made) {
            return Matrices{std::move(made.logits)};
        });
    });
}

Result<void> fill_attention(const Scene& scene, const Slice& slice, std::span<Array> arrays) {
    announce_heads(scene, slice, 1.0, 1.0);
    return fill_heads(scene, slice, arrays, [&](const RowsAsked& asked) {
        return attention_rows(scene, asked).map([](AttentionRows made) {
            return Matrices{std::move(made.weights)};
        });
    });
}

Result<std::vector<Shape>> expansion_shapes(const Scene& scene, const Slice& slice) {
    auto shapes =
        shapes_of(scene, slice,
                  {"content_content", "content_position", "position_content", "position_position", "sum"});
    if (shapes) shapes->push_back({"residual", {}});
    return shapes;
}

double expansion_workspace(const Scene& scene, const Slice& slice) {
    return head_workspace(scene, slice, 6.0);
}

Result<void> fill_expansion(const Scene& scene, const Slice& slice, std::span<Array> arrays) {
    announce_heads(scene, slice, 2.0, 0.0);
    double& residual = arrays[5].values[0];
    return fill_heads(scene, slice, arrays, [&](const RowsAsked& asked) {
        return expansion(scene, asked).map([&](Expansion made) {
            residual = std::max(residual, made.residual);
            std::vector<double> sum(made.content_content.size());
            for (std::size_t i = 0; i < sum.size(); ++i)
                sum[i] = ((made.content_content[i] + made.content_position[i]) + made.position_content[i]) +
                         made.position_position[i];
            return Matrices{std::move(made.content_content), std::move(made.content_position),
                            std::move(made.position_content), std::move(made.position_position),
                            std::move(sum)};
        });
    });
}

// Writes all heads and rows.
template <auto shapes>
Result<std::vector<Shape>> whole_shapes(const Scene& scene) {
    return shapes(scene, Slice{});
}
template <auto fill>
Result<void> whole_fill(const Scene& scene, std::span<Array> arrays) {
    return fill(scene, Slice{}, arrays);
}
template <auto workspace>
double whole_workspace(const Scene& scene) {
    return workspace(scene, Slice{});
}

Result<std::vector<Shape>> mixed_shapes(const Scene& scene) {
    if (encoding_of(scene).acts != Acts::query_key) return tl::unexpected(absent(scene, "mixed"));
    const std::int64_t n = scene.length;
    std::vector<Shape> shapes;
    for (const char* name : {"mixed", "interleaved", "half"})
        shapes.push_back({name, {n, n}, "", {{"query"}, {"key"}}});
    return shapes;
}

double mixed_workspace(const Scene& scene) {
    const auto n = static_cast<double>(scene.length);
    return 3.0 * n * n + 4.0 * n * static_cast<double>(head_dim(scene));
}

Result<void> fill_mixed(const Scene& scene, std::span<Array> arrays) {
    return mixed_matrix(scene).map([&](MixedMatrix made) {
        arrays[0].values = std::move(made.mixed);
        arrays[1].values = std::move(made.interleaved);
        arrays[2].values = std::move(made.half);
    });
}

Result<std::vector<Shape>> output_shapes(const Scene& scene) {
    const std::int64_t n = content_length(scene);
    return std::vector<Shape>{
        {"concat", {n, scene.num_heads * head_dim(scene)}}, {"outputs", {n, scene.d_model}}, {"spread", {n}}};
}

// The weights of all heads, and the inputs and their projections.
double output_workspace(const Scene& scene) {
    const auto n = static_cast<double>(content_length(scene));
    const double inner = static_cast<double>(scene.num_heads) * static_cast<double>(head_dim(scene));
    return 2.0 * static_cast<double>(scene.num_heads) * n * n +
           12.0 * n * std::max(static_cast<double>(scene.d_model), inner);
}

Result<void> fill_outputs(const Scene& scene, std::span<Array> arrays) {
    // Values and joined outputs are counted too.
    announce_projections(scene, scene.num_heads, 4.0, 10.0 * static_cast<double>(content_length(scene)));
    return joined_heads(scene).map([&](Joined made) {
        arrays[0].values = std::move(made.concat);
        arrays[1].values = std::move(made.output);
        arrays[2].values = std::move(made.spread);
    });
}

}  // namespace

extern const Quantity kBias{"bias", whole_shapes<bias_shapes>, whole_fill<fill_bias>,
                            whole_workspace<bias_workspace>};
extern const Quantity kLogits{"logits", whole_shapes<logit_shapes>, whole_fill<fill_logits>,
                              whole_workspace<attention_workspace>};
extern const Quantity kAttention{"attention", whole_shapes<attention_shapes>, whole_fill<fill_attention>,
                                 whole_workspace<attention_workspace>};
extern const Quantity kExpansion{"expansion", whole_shapes<expansion_shapes>, whole_fill<fill_expansion>,
                                 whole_workspace<expansion_workspace>};
extern const Quantity kOutputs{"outputs", output_shapes, fill_outputs, output_workspace};
extern const Quantity kMixed{"mixed", mixed_shapes, fill_mixed, mixed_workspace};

std::span<const Sliced> sliced_quantities() {
    static constexpr std::array list = {
        Sliced{&kBias, bias_shapes, fill_bias, bias_workspace},
        Sliced{&kLogits, logit_shapes, fill_logits, attention_workspace},
        Sliced{&kAttention, attention_shapes, fill_attention, attention_workspace},
        Sliced{&kExpansion, expansion_shapes, fill_expansion, expansion_workspace},
    };
    return list;
}

}  // namespace posiscope
