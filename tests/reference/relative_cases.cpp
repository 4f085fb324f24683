// What is added to the logits.
#include "core/attention/attention.hpp"
#include "core/encodings/relative.hpp"
#include "core/quantities/quantities.hpp"
#include "tests/core/scenes.hpp"
#include "tests/reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::reference {
namespace {

std::vector<double> as_doubles(const std::vector<std::int64_t>& values) {
    return {values.begin(), values.end()};
}

// [heads, n, n] of f(head, query, key)
template <class Function>
std::vector<double> matrix(std::int64_t heads, std::int64_t n, Function f) {
    std::vector<double> values;
    for (std::int64_t h = 0; h < heads; ++h)
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j) values.push_back(f(h, i, j));
    return values;
}

void shaw_indices(Case& c) {
    const auto queries = c.input("length_q").get<std::int64_t>(),
               keys = c.input("length_k").get<std::int64_t>();
    std::vector<std::int64_t> indices;
    for (std::int64_t i = keys - queries; i < keys; ++i)
        for (std::int64_t j = 0; j < keys; ++j)
            indices.push_back(shaw_index(j - i, c.input("max_relative_position").get<std::int64_t>()));
    c.expect("output", as_doubles(indices));
}

void shaw(Case& c) {
    const Json& q = c.input("q");
    const auto batches = q.size();
    std::vector<double> logits, weights, output;
    for (std::size_t b = 0; b < batches; ++b) {
        AttentionShape shape;
        shape.heads = static_cast<std::int64_t>(extent(q, 1));
        shape.queries = static_cast<std::int64_t>(extent(q, 2));
        shape.keys = static_cast<std::int64_t>(extent(c.input("k"), 2));
        shape.head_dim = static_cast<std::int64_t>(extent(q, 3));
        shape.sight.causal = false;
        const auto table = [&](const char* name) -> ShawTable {
            return [values = flat(c.input(name)), width = static_cast<std::size_t>(shape.head_dim)](
                       std::int64_t row) -> std::span<const double> {
                return std::span(values).subspan(static_cast<std::size_t>(row) * width, width);
            };
        };
        const Action action =
            shaw_action(table("rel_k_table"), table("rel_v_table"),
                        c.input("max_relative_position").get<std::int64_t>(), shape.head_dim);
        const Attention made =
            attend(action, shape, flat(q[b]), flat(c.input("k")[b]), flat(c.input("v")[b]));
        for (const double logit : made.logits) logits.push_back(logit / action.scale);
        weights.insert(weights.end(), made.weights.begin(), made.weights.end());
        output.insert(output.end(), made.output.begin(), made.output.end());
    }
    c.expect("logits_unscaled", logits);
    c.expect("weights", weights);
    c.expect("output", output);
}

// [position, head, feature] → [head, position, feature]
std::vector<double> heads_first(const Json& json) {
    std::vector<double> values;
    for (std::size_t h = 0; h < extent(json, 1); ++h)
        for (const Json& position : json)
            for (const double value : flat(position[h])) values.push_back(value);
    return values;
}

void transformer_xl(Case& c) {
    AttentionShape shape;
    shape.heads = c.input("n_head").get<std::int64_t>();
    shape.head_dim = c.input("d_head").get<std::int64_t>();
    shape.queries = c.input("qlen").get<std::int64_t>();
    shape.keys = shape.queries + c.input("mem_len").get<std::int64_t>();
    const std::vector<double> relative =
        flat(c.input("r_head_k"));  // [keys, heads, head_dim], distances keys − 1 … 0
    const std::vector<double> u = flat(c.input("r_w_bias")),
                              v = flat(c.input("r_r_bias"));  // [heads, head_dim]
    const auto row = [&](const std::vector<double>& of, std::int64_t index) {
        return std::span(of).subspan(static_cast<std::size_t>(index * shape.head_dim),
                                     static_cast<std::size_t>(shape.head_dim));
    };
    const auto terms = [&](std::int64_t head, std::int64_t distance) {
        return RelativeTerms{row(u, head), row(v, head),
                             row(relative, (shape.keys - 1 - distance) * shape.heads + head)};
    };
    const Action action = transformer_xl_action(terms, shape.head_dim);
    const std::vector<double> k = heads_first(c.input("k"));
    Attention made = attend(action, shape, heads_first(c.input("q")), k, k);
    for (double& logit : made.logits)
        if (std::isinf(logit)) logit = -1e30;
    c.expect("scores_scaled_masked", made.logits);
}

void t5(Case& c) {
    const T5Buckets buckets{c.input("num_buckets").get<std::int64_t>(),
                            c.input("max_distance").get<std::int64_t>(),
                            c.input("bidirectional").get<bool>()};
    const auto range = whole(c.input("relative_position"));
    std::vector<std::int64_t> made;
    for (std::int64_t r = range.at(0); r <= range.at(1); ++r) made.push_back(t5_bucket(buckets, r));
    if (c.has("float64_disagreements")) c.expect("float64_disagreements", {});
    c.expect("output", as_doubles(made));
}

void alibi(Case& c) { c.expect("output", alibi_slopes(c.input("n_heads").get<std::int64_t>())); }

void mpt(Case& c) {
    c.expect("output",
             mpt_slopes(c.input("n_heads").get<std::int64_t>(), c.input("alibi_bias_max").get<double>()));
}

// [heads, n, n]; 0 above the diagonal with `causal`, as the sources have it.
std::vector<double> bias_of(const Scene& scene) {
    const auto bias = evaluate(*find_quantity("bias"), scene, std::uint64_t{1} << 30);
    EXPECT_TRUE(bias) << to_string(bias.error());
    return bias ? bias->front().values : std::vector<double>();
}

void alibi_bias(Case& c) {
    const auto heads = c.input("num_heads").get<std::int64_t>(), n = c.input("seq").get<std::int64_t>();
    Scene scene;
    scene.num_heads = heads;
    scene.d_model = 2 * heads;
    scene.length = n;
    const auto made = overlay(scene, {{"encoding", "alibi"}});
    ASSERT_TRUE(made) << to_string(made.error());
    c.expect("output", bias_of(made->scene));
}

void kerple_log(Case& c) {
    const auto p = flat(c.input("bias_p")), a = flat(c.input("bias_a"));
    const double least = c.inputs().value("clamp_min", 0.01);
    c.expect("output",
             matrix(static_cast<std::int64_t>(p.size()), c.input("n").get<std::int64_t>(),
                    [&](std::int64_t h, std::int64_t i, std::int64_t j) {
                        const auto head = static_cast<std::size_t>(h);
                        return posiscope::kerple_log(std::max(p[head], least), std::max(a[head], least),
                                                     static_cast<double>(std::max<std::int64_t>(i - j, 0)));
                    }));
}

void kerple_power(Case& c) {
    const Json& scores = c.input("scores_in");
    const auto p = flat(c.input("bias_p")), a = flat(c.input("bias_a")), in = flat(scores);
    const bool weighted = !c.input("wei_a").is_null();
    const auto weight_p = weighted ? flat(c.input("wei_p")) : p,
               weight_a = weighted ? flat(c.input("wei_a")) : a;
    const auto n = static_cast<std::int64_t>(extent(scores, 1));
    std::vector<double> made = matrix(
        static_cast<std::int64_t>(scores.size()), n, [&](std::int64_t h, std::int64_t i, std::int64_t j) {
            const auto head = static_cast<std::size_t>(h);
            const auto distance = static_cast<double>(std::max<std::int64_t>(i - j, 0));
            const double score = in[static_cast<std::size_t>((h * n + i) * n + j)];
            const double power = std::clamp(p[head], 0.01, 2.0), size = std::max(a[head], 0.01);
            const double weight = weighted ? kerple_weight(std::max(weight_p[head], 0.01),
                                                           std::max(weight_a[head], 0.01), distance)
                                           : 1.0;
            return score * weight + posiscope::kerple_power(power, size, distance);
        });
    c.expect("output", made);
}

void fire(Case& c) {
    const Fire fire{c.input("c").get<double>(), c.input("L").get<double>(), c.input("eps").get<double>(),
                    flat(c.input("W1")),        flat(c.input("b1")),        flat(c.input("W2")),
                    flat(c.input("b2"))};
    c.expect("output",
             matrix(static_cast<std::int64_t>(fire.out_bias.size()), c.input("n").get<std::int64_t>(),
                    [&](std::int64_t h, std::int64_t i, std::int64_t j) { return fire.bias(h, i, j); }));
}

void sandwich(Case& c) {
    const Json partial = {{"encoding", {{"kind", "sandwich"}, {"bar_d", c.input("bar_d")}}},
                          {"num_heads", c.input("heads")},
                          {"length", c.input("n")},
                          {"causal", !c.input("bidirectional").get<bool>()}};
    c.expect("output", bias_of(scene(partial.dump())));
}

}  // namespace

Handlers relative_handlers() {
    return {
        {"shaw_index", {"_generate_relative_positions_matrix", shaw_indices}},
        {"shaw_attention", {"_relative_attention_inner", shaw}},
        {"txl_scores", {"RelPartialLearnableMultiHeadAttn.forward", transformer_xl}},
        {"t5_bucket", {"T5Attention._relative_position_bucket", t5}},
        {"alibi_slopes", {"get_slopes", alibi}},
        {"alibi_slopes_bloom", {"build_alibi_tensor", alibi}},
        {"alibi_slopes_mpt", {"build_mpt_alibi_tensor", mpt}},
        {"alibi_bias", {"AliBi.bias", alibi_bias}},
        {"kerple_log", {"ParallelKerpleLog.forward", kerple_log}},
        {"kerple_power", {"ParallelKerplePower.forward", kerple_power}},
        {"fire", {"FIRE.forward", fire}},
        {"sandwich", {"SandwichRelativePositionEmbedding.forward", sandwich}},
    };
}

}  // namespace posiscope::reference
