// A built-in encoding as formulas is the same encoding, or a sentence says why it is none.
#include "core/attention/attention.hpp"
#include "core/encodings/as_formulas.hpp"
#include "core/encodings/own.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::as_formulas_test {
namespace {

Scene laid(const Json& partial) {
    auto made = overlay(Scene(), partial);
    EXPECT_TRUE(made) << partial.dump() << " " << to_string(made.error());
    return made ? std::move(made->scene) : Scene();
}

Scene in_formulas(const Scene& scene) {
    auto made = as_formulas(scene);
    EXPECT_TRUE(made) << scene.encoding.parameters.dump() << " " << to_string(made.error());
    if (!made) return scene;
    EXPECT_EQ(made->at("from"), scene.encoding.kind);
    (*made)["kind"] = std::string(own_encoding().kind);
    const auto typed = overlay(scene, {{"encoding", *made}});
    EXPECT_TRUE(typed) << made->dump() << " " << to_string(typed.error());
    return typed ? typed->scene : scene;
}

Json with(Json base, const Json& more) {
    base.update(more);
    return base;
}

const Json kSizes = {{"d_model", 64},       {"num_heads", 4},  {"length", 48},
                     {"content", "seeded"}, {"causal", false}, {"trained", {{"length", 16}}}};

void expect_same(const Json& encoding, const Json& more = Json::object()) {
    SCOPED_TRACE(encoding.dump() + more.dump());
    Json partial = with(kSizes, more);
    partial["encoding"] = encoding;
    const Scene scene = laid(partial), typed = in_formulas(scene);
    const auto built = attention(scene), made = attention(typed);
    ASSERT_TRUE(built) << to_string(built.error());
    ASSERT_TRUE(made) << to_string(made.error());
    ASSERT_EQ(built->logits.size(), made->logits.size());
    double off = 0.0;
    for (std::size_t n = 0; n < made->logits.size(); ++n)
        if (std::isfinite(built->logits[n]))
            off = std::max(off, std::abs(built->logits[n] - made->logits[n]));
        else EXPECT_EQ(built->logits[n], made->logits[n]);
    EXPECT_LE(off, 1e-12) << typed.encoding.parameters.dump();
}

TEST(AsFormulas, WhatIsAddedToTheInput) {
    for (const char* variant : {"paper", "halves", "tensor2tensor", "fairseq", "two_pi", "double_exponent"})
        expect_same({{"kind", "sinusoidal"}, {"variant", variant}});
    expect_same({{"kind", "sinusoidal"}, {"variant", "fairseq"}, {"padding_idx", 1}});
    expect_same("none");
}

TEST(AsFormulas, RoPEAndItsScalings) {
    const auto scaled = [](Json scaling, const Json& more = Json::object()) {
        expect_same({{"kind", "rope"}, {"rope_scaling", std::move(scaling)}}, more);
    };
    expect_same("rope");
    expect_same("rope", {{"base", 500000.0}, {"layout", "half"}});
    expect_same({{"kind", "rope"}, {"rotary_dim", 8}});
    scaled({{"rope_type", "linear"}, {"factor", 4.0}});
    scaled({{"rope_type", "ntk"}, {"alpha", 8.0}});
    scaled({{"rope_type", "dynamic"}, {"factor", 2.0}, {"original_max_position_embeddings", 16}});
    scaled({{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}});
    scaled({{"rope_type", "llama3"},
            {"factor", 8.0},
            {"low_freq_factor", 1.0},
            {"high_freq_factor", 4.0},
            {"original_max_position_embeddings", 16}});
    scaled({{"rope_type", "proportional"}, {"partial_rotary_factor", 0.25}});
    scaled({{"rope_type", "ntk_by_parts"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}});
    scaled({{"rope_type", "ntk_by_parts"},
            {"variant", "repo"},
            {"factor", 4.0},
            {"original_max_position_embeddings", 16}});
    scaled({{"rope_type", "theta_scale"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}});
    scaled({{"rope_type", "fope"}, {"num_inv_freq", 5}});
    scaled({{"rope_type", "fope"}}, {{"trained", {{"length", 100}}}});
    Json factors = Json::array();
    for (int i = 0; i < 8; ++i) factors.push_back(1.0 + 0.25 * i);
    scaled({{"rope_type", "longrope"},
            {"short_factor", factors},
            {"long_factor", factors},
            {"factor", 3.0},
            {"original_max_position_embeddings", 16}});
    expect_same({{"kind", "rope"}, {"attn_temperature_tuning", true}, {"floor_scale", 8.0}});
    expect_same({{"kind", "rope"}, {"dual_chunk_attention_config", {{"chunk_size", 16}, {"local_size", 4}}}},
                {{"causal", true}});
    expect_same({{"kind", "xpos"}, {"scale_base", 24.0}});
}

// Tokens of a grid, by the axis of each pair.
TEST(AsFormulas, Axes) {
    for (const char* order : {"xy", "yx"}) {
        expect_same({{"kind", "rope_2d"}, {"axis_order", order}});
        expect_same({{"kind", "rope_2d"}, {"axis_order", order}, {"grid_width", 7}}, {{"base", 100.0}});
    }
    for (const bool interleaved : {false, true})
        expect_same({{"kind", "rope"},
                     {"mrope_section", {4, 2, 2}},
                     {"mrope_interleaved", interleaved},
                     {"grid", {2, 4, 6}}},
                    {{"layout", "half"}});
    expect_same({{"kind", "rope"}, {"mrope_section", {4, 2, 2}}});
}

TEST(AsFormulas, YaRNHasItsFrequencies) {
    const Scene typed = in_formulas(
        laid({{"d_model", 128},
              {"num_heads", 1},
              {"encoding",
               {{"kind", "rope"},
                {"rope_scaling",
                 {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 4096}}}}}}));
    const auto spectrum = spectrum_of(typed);
    ASSERT_TRUE(spectrum);
    EXPECT_DOUBLE_EQ(spectrum->frequency[21], 0.047292038501684786);
    EXPECT_DOUBLE_EQ(spectrum->frequency[33], 0.005412277021000409);
    EXPECT_DOUBLE_EQ(spectrum->frequency[46], 0.000333380358040831);
    EXPECT_DOUBLE_EQ(spectrum->frequency[63], 2.8869549617236455e-05);
}

TEST(AsFormulas, Biases) {
    for (const int heads : {1, 4, 2})
        for (const char* variant : {"alibi", "bloom", "mpt"})
            expect_same({{"kind", "alibi"}, {"variant", variant}}, {{"num_heads", heads}});
    expect_same("alibi", {{"d_model", 48}, {"num_heads", 6}});
    expect_same({{"kind", "alibi"}, {"variant", "mpt"}, {"alibi_bias_max", 4.0}},
                {{"d_model", 48}, {"num_heads", 6}});
    expect_same("kerple");
    expect_same({{"kind", "kerple"}, {"variant", "power"}, {"weighted", true}});
    expect_same({{"kind", "kerple"}, {"bias_a", 0.5}, {"bias_p", 1.5}});
    expect_same({{"kind", "sandwich"}, {"bar_d", 32}});
    expect_same({{"kind", "t5"}, {"num_buckets", 16}, {"max_distance", 32}, {"initializer_range", 1.0}});
    expect_same({{"kind", "t5"},
                 {"num_buckets", 8},
                 {"max_distance", 32},
                 {"bidirectional", false},
                 {"initializer_range", 1.0}},
                {{"causal", true}});
}

// The others are no formulas of one position or distance: that is said.
TEST(AsFormulas, EveryKindIsOneOrSaysWhyNot) {
    std::size_t refused = 0;
    for (const Encoding* encoding : encodings()) {
        if (encoding->slots.typed != nullptr) continue;
        const Scene scene = laid(with(kSizes, {{"encoding", std::string(encoding->kind)}}));
        if (const auto made = as_formulas(scene)) continue;
        else EXPECT_TRUE(made.error().key.starts_with("own.not_")) << to_string(made.error());
        ++refused;
    }
    EXPECT_EQ(refused, 4U);
    const Json four = {{"rope_type", "xdrope"}, {"xdrope_section", {2, 2, 2, 2}}};
    const auto on_four = as_formulas(
        laid(with(kSizes, {{"encoding", {{"kind", "rope"}, {"rope_scaling", four}, {"grid", {2, 4, 6}}}}})));
    EXPECT_EQ(on_four.error().key, "own.not_axes");
    const auto half = as_formulas(
        laid(with(kSizes, {{"layout", "half"}, {"encoding", {{"kind", "rope"}, {"rotary_dim", 8}}}})));
    EXPECT_EQ(half.error().key, "own.not_partial");
}

}  // namespace
}  // namespace posiscope::as_formulas_test
