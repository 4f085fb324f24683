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
// With `tokens` as content, attention has one row per word, whatever the length.
// Rows are queries, columns keys.  Error  ≤ head_dim · 2^-53 · Σ|q k|.
#include "core/attention/expansion.hpp"
#include "core/attention/joined.hpp"
#include "core/attention/placed.hpp"
#include "core/quantities/quantities.hpp"
#include "core/scene/content.hpp"

#include <algorithm>

namespace posiscope {
namespace {

Shape by_head(const Scene& scene, std::string_view name) {
    const std::int64_t n = content_length(scene);
    return {name, {scene.num_heads, n, n}};
}

double matrices(const Scene& scene, double count) {
    const auto n = static_cast<double>(content_length(scene));
    return count * static_cast<double>(scene.num_heads) * n * n;
}

// The input and its projections.
double projections(const Scene& scene) {
    const double inner = static_cast<double>(scene.num_heads) * static_cast<double>(head_dim(scene));
    return 4.0 * static_cast<double>(content_length(scene)) *
           std::max(static_cast<double>(scene.d_model), inner);
}

Result<std::vector<Shape>> bias_shapes(const Scene& scene) {
    const auto action = action_of(scene);
    if (!action) return tl::unexpected(action.error());
    if (!action->bias) return tl::unexpected(absent(scene, "bias"));
    return std::vector<Shape>{by_head(scene, "bias")};
}

double bias_workspace(const Scene& scene) { return matrices(scene, 1.0); }

Result<void> fill_bias(const Scene& scene, std::span<Array> arrays) {
    return bias_matrix(scene).map([&](std::vector<double> bias) { arrays[0].values = std::move(bias); });
}

Result<std::vector<Shape>> logit_shapes(const Scene& scene) {
    return std::vector<Shape>{by_head(scene, "logits")};
}

Result<std::vector<Shape>> attention_shapes(const Scene& scene) {
    return std::vector<Shape>{by_head(scene, "attention")};
}

double attention_workspace(const Scene& scene) { return matrices(scene, 2.0) + 2.0 * projections(scene); }

Result<void> fill_logits(const Scene& scene, std::span<Array> arrays) {
    auto made = project(scene);
    if (!made) return tl::unexpected(made.error());
    const auto action = attention_action(attended(scene));
    if (!action) return tl::unexpected(action.error());
    arrays[0].values = attention_logits(*action, made->shape, std::move(made->q), std::move(made->k));
    return {};
}

Result<void> fill_attention(const Scene& scene, std::span<Array> arrays) {
    return attention(scene).map([&](Attention made) { arrays[0].values = std::move(made.weights); });
}

Result<std::vector<Shape>> expansion_shapes(const Scene& scene) {
    std::vector<Shape> shapes;
    for (const char* name :
         {"content_content", "content_position", "position_content", "position_position", "sum"})
        shapes.push_back(by_head(scene, name));
    shapes.push_back({"residual", {}});
    return shapes;
}

double expansion_workspace(const Scene& scene) { return matrices(scene, 5.0) + 2.0 * projections(scene); }

Result<void> fill_expansion(const Scene& scene, std::span<Array> arrays) {
    auto made = expansion(scene);
    if (!made) return tl::unexpected(made.error());
    arrays[0].values = std::move(made->content_content);
    arrays[1].values = std::move(made->content_position);
    arrays[2].values = std::move(made->position_content);
    arrays[3].values = std::move(made->position_position);
    for (std::size_t i = 0; i < arrays[4].values.size(); ++i)
        arrays[4].values[i] =
            ((arrays[0].values[i] + arrays[1].values[i]) + arrays[2].values[i]) + arrays[3].values[i];
    arrays[5].values[0] = made->residual;
    return {};
}

Result<std::vector<Shape>> mixed_shapes(const Scene& scene) {
    if (encoding_of(scene).acts != Acts::query_key) return tl::unexpected(absent(scene, "mixed"));
    const std::int64_t n = scene.length;
    return std::vector<Shape>{{"mixed", {n, n}}, {"interleaved", {n, n}}, {"half", {n, n}}};
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

double output_workspace(const Scene& scene) { return attention_workspace(scene) + projections(scene); }

Result<void> fill_outputs(const Scene& scene, std::span<Array> arrays) {
    return joined_heads(scene).map([&](Joined made) {
        arrays[0].values = std::move(made.concat);
        arrays[1].values = std::move(made.output);
        arrays[2].values = std::move(made.spread);
    });
}

}  // namespace

extern const Quantity kBias{"bias", bias_shapes, fill_bias, bias_workspace};
extern const Quantity kLogits{"logits", logit_shapes, fill_logits, attention_workspace};
extern const Quantity kAttention{"attention", attention_shapes, fill_attention, attention_workspace};
extern const Quantity kExpansion{"expansion", expansion_shapes, fill_expansion, expansion_workspace};
extern const Quantity kOutputs{"outputs", output_shapes, fill_outputs, output_workspace};
extern const Quantity kMixed{"mixed", mixed_shapes, fill_mixed, mixed_workspace};

}  // namespace posiscope
