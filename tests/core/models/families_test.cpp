// Families: what is said about a config is true of it, and the kinds of its layers are those of its code.
#include "core/encodings/rope_layers.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/models/check.hpp"
#include "core/models/config_parts.hpp"
#include "core/models/families.hpp"
#include "core/models/models.hpp"
#include "core/scaling/trained.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::families_test {
namespace {

ModelScene read(std::string_view text) {
    auto model = read_config_text(text);
    if (!model) throw std::runtime_error(to_string(model.error()));
    return std::move(*model);
}

Scene scene_of(std::string_view text) { return overlay(Scene(), read(text).scene)->scene; }

bool says(const ModelScene& model, std::string_view note) {
    return std::any_of(model.notes.begin(), model.notes.end(),
                       [&](const Problem& one) { return to_string(one).starts_with(note); });
}

TEST(Families, ADefaultNamesItsValueAndItsSource) {
    const ModelScene gemma =
        read(R"({"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34})");
    EXPECT_TRUE(says(gemma, "config.default (key=rope_theta, value=1000000.0, "
                            "source=gemma3/configuration_gemma3.py)"));
    EXPECT_EQ(gemma.scene["base"], 1000000.0);
    // A value of the file is never called a default.
    const ModelScene given = read(R"({"model_type": "gemma3_text", "hidden_size": 2560, "rope_theta": 5e5})");
    EXPECT_FALSE(says(given, "config.default (key=rope_theta"));
}

TEST(Families, WhatIsNotKnownIsNotClaimed) {
    const ModelScene unknown = read(
        R"({"model_type": "brand_new", "hidden_size": 64, "num_attention_heads": 4, "rope_magic": 3, "rope_scaling": {"type": "linear", "factor": 2}})");
    EXPECT_TRUE(says(unknown, "config.assumed (key=rope_theta, value=10000)"));
    EXPECT_TRUE(says(unknown, "config.unknown_family (model_type=brand_new)"));
    EXPECT_TRUE(says(unknown, "config.unread (key=rope_magic, value=3)"));
    ModelFamily odd;
    odd.type = "odd", odd.note = "zamba2";
    const auto unread = remarks_on(odd, "odd");
    ASSERT_EQ(unread.size(), 2U);
    EXPECT_EQ(to_string(unread[0]), "config.unverified (model_type=odd)");
    EXPECT_EQ(to_string(unread[1]), "family.zamba2");
    for (const ModelFamily& family : families())
        EXPECT_EQ(remarks_on(family, "x").size(), family.note.empty() ? 0U : 1U)
            << family.type << " has no source";
    EXPECT_EQ(read_config_text(R"({"model_type": "qwen2_5_omni"})").error().key, "config.silent");
    EXPECT_EQ(
        read_config_text(R"({"model_type": "deberta-v2", "hidden_size": 64, "relative_attention": true})")
            .error()
            .key,
        "family.deberta");
    EXPECT_EQ(read_config_text(
                  R"({"model_type": "bert", "hidden_size": 64, "position_embedding_type": "relative_key"})")
                  .error()
                  .key,
              "config.not_shown");
    EXPECT_EQ(
        read_config_text(
            R"({"model_type": "esm", "hidden_size": 64, "position_embedding_type": "relative_key_query"})")
            .error()
            .key,
        "config.not_shown");
}

// A list of layers has the last word on them, as in the official code: an interval beside it is no unread setting.
TEST(Families, AnIntervalBesideAListIsNoUnreadSetting) {
    const auto notes = [](std::string_view more) {
        return read(std::string(R"({"model_type": "smollm3", "hidden_size": 64, "num_attention_heads": 4,
            "num_hidden_layers": 4, "rope_theta": 5e6, )") +
                    std::string(more) + "}");
    };
    const ModelScene both = notes(R"("no_rope_layers": [1, 0, 1, 1], "no_rope_layer_interval": 4)");
    EXPECT_FALSE(says(both, "config.unread")) << both.notes.size();
    const Scene scene = overlay(Scene(), both.scene)->scene;
    const RopeLayers layers = rope_layers(scene);
    ASSERT_EQ(layers.layers.size(), 4U);
    EXPECT_FALSE(layers.layers[1].turns);
    EXPECT_TRUE(layers.layers[3].turns);
    EXPECT_FALSE(says(notes(R"("no_rope_layer_interval": 4)"), "config.unread"));
}

TEST(Families, Zamba2HasHeadsOfTwiceTheWidth) {
    const auto head = [](std::string_view more) {
        return head_dim(scene_of(std::string(R"({"model_type": "zamba2", "hidden_size": 2560,
            "num_attention_heads": 32, "use_mem_rope": true)") +
                                 std::string(more) + "}"));
    };
    EXPECT_EQ(head(""), 160);
    EXPECT_EQ(head(R"(, "kv_channels": 80)"), 160);
    EXPECT_EQ(head(R"(, "attention_head_dim": 128)"), 128);
}

TEST(Families, NormalizedQueriesAndKeysAreNamedWhereTheyAre) {
    const auto note = [&](std::string_view text) {
        const ModelScene model = read(text);
        const auto found = std::find_if(model.notes.begin(), model.notes.end(),
                                        [](const Problem& one) { return one.key == "config.qk_norm"; });
        const auto findings = check_settings(with_model(Scene(), model)->scene);
        EXPECT_EQ(std::any_of(findings->begin(), findings->end(),
                              [](const Finding& one) { return one.problem.key == "config.qk_norm"; }),
                  found != model.notes.end())
            << text;
        return found == model.notes.end() ? std::string() : *value_of(*found, "key");
    };
    EXPECT_EQ(note(R"({"model_type": "qwen3", "hidden_size": 64, "num_attention_heads": 4})"),
              "qwen3/modeling_qwen3.py");
    EXPECT_EQ(
        note(
            R"({"model_type": "cohere", "hidden_size": 64, "num_attention_heads": 4, "use_qk_norm": true, "max_position_embeddings": 64})"),
        "use_qk_norm");
    EXPECT_EQ(
        note(R"({"model_type": "phi", "hidden_size": 64, "num_attention_heads": 4, "qk_layernorm": true})"),
        "qk_layernorm");
    EXPECT_EQ(
        note(
            R"({"model_type": "stablelm", "hidden_size": 64, "num_attention_heads": 4, "qk_layernorm": false})"),
        "");
    EXPECT_EQ(note(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4})"), "");
}

TEST(Families, TheLanguagePartIsFoundAtAnyDepth) {
    const ModelScene omni = read(R"({"model_type": "qwen2_5_omni", "thinker_config": {"text_config":
        {"model_type": "qwen2_5_omni_text", "hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1e6}}})");
    EXPECT_TRUE(says(omni, "config.part (key=thinker_config.text_config)"));
    EXPECT_EQ(omni.scene["d_model"], 3584);
}

TEST(Families, TheVisionTowerIsAPart) {
    constexpr std::string_view text =
        R"({"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text",
        "hidden_size": 64, "num_attention_heads": 4}, "vision_config": {"model_type": "qwen3_vl", "hidden_size": 1152,
        "num_heads": 16, "num_position_embeddings": 2304}})";
    const auto tower = read_config_text(text, Part::vision);
    ASSERT_TRUE(tower) << to_string(tower.error());
    EXPECT_EQ(tower->scene["encoding"]["kind"], "rope_2d");
    EXPECT_EQ(tower->scene["encoding"]["axis_order"], "yx");
    EXPECT_EQ(tower->scene["d_model"], 1152);
    EXPECT_TRUE(says(*tower, "config.part (key=vision_config)"));
    EXPECT_TRUE(says(*tower, "family.vision_table"));
    const auto refusal = [](std::string_view config) {
        return read_config_text(config, Part::vision).error().key;
    };
    EXPECT_EQ(refusal(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4})"),
              "config.no_vision");
    EXPECT_EQ(
        refusal(R"({"model_type": "odd", "vision_config": {"model_type": "odd_tower", "rope_theta": 100}})"),
        "config.vision_unknown");
    EXPECT_EQ(refusal(R"({"model_type": "minimax_m3_vl", "vision_config": {"model_type": "clip_vision_model",
        "position_embedding_type": "rope", "rope_mode": "3d", "hidden_size": 1280}})"),
              "family.axial_3d");
}

// A kind has a width and heads of its own where its config says so.
TEST(Layers, KindsHaveTheirOwnHeads) {
    const Json config = Json::parse(R"({"model_type": "gemma4", "text_config": {"model_type": "gemma4_text",
        "hidden_size": 2816, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256, "global_head_dim": 512,
        "num_global_key_value_heads": 2, "layer_types": ["sliding_attention", "full_attention"], "sliding_window": 1024,
        "rope_parameters": {"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6},
                            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}}})");
    const Scene full = scene_of(config.dump());
    EXPECT_EQ(head_dim(full), 512);
    EXPECT_EQ(spectrum_of(full)->pairs(), 256U);
    const Scene sliding = overlay(full, {{"encoding", with_kind(full, rope_layers(full), 0)}})->scene;
    EXPECT_EQ(head_dim(sliding), 256);
    EXPECT_EQ(spectrum_of(sliding)->pairs(), 128U);
    EXPECT_EQ(heads_of(config, "full_attention").key_heads, 2);
    EXPECT_EQ(heads_of(config, "sliding_attention").key_heads, 8);
    const Json step = Json::parse(R"({"model_type": "step3p5", "hidden_size": 64, "num_attention_heads": 64,
        "num_attention_groups": 8, "attention_other_setting": {"num_attention_heads": 96, "num_attention_groups": 8}})");
    EXPECT_EQ(heads_of(step, "sliding_attention").heads, 96);
    EXPECT_EQ(heads_of(step, "full_attention").heads, 64);
}

constexpr std::string_view kCohere =
    R"({"model_type": "cohere2", "hidden_size": 4096, "num_attention_heads": 32,
    "num_hidden_layers": 8, "rope_theta": 50000, "sliding_window": 512, "max_position_embeddings": 8192})";

TEST(Layers, KindsAreTwoAndEachIsItsOwn) {
    Scene scene = with_model(Scene(), read(kCohere))->scene;
    const RopeLayers layers = rope_layers(scene);
    ASSERT_EQ(layers.kinds.size(), 2U);
    ASSERT_GE(layers.kind, 0);
    EXPECT_TRUE(layers.kinds[static_cast<std::size_t>(layers.kind)].turns)
        << "a rotating kind is shown first";
    for (std::size_t k = 0; k < 2; ++k) {
        const auto laid = overlay(scene, {{"encoding", with_kind(scene, layers, k)}});
        ASSERT_TRUE(laid) << to_string(laid.error());
        const RopeLayers there = rope_layers(laid->scene);
        EXPECT_EQ(there.kind, static_cast<int>(k));
        EXPECT_EQ(rope_settings(laid->scene)->turns, layers.kinds[k].turns);
        EXPECT_EQ(rope_settings(laid->scene)->window, layers.kinds[k].window);
    }
}

TEST(Layers, AWindowBoundsWhatIsUnseen) {
    Scene scene = with_model(Scene(), read(kCohere))->scene;
    scene.length = 100000;  // the window stays 512
    const auto training = training_of(scene);
    ASSERT_TRUE(training);
    EXPECT_EQ(training->reach, 512);
    EXPECT_EQ(training->new_angles.count, 0U);
    Scene whole = scene;
    whole.encoding.parameters["rope_scaling"]["sliding_attention"].erase("sliding_window");
    EXPECT_GT(training_of(whole)->new_angles.count, 0U) << "without the window there are unseen angles";
}

TEST(Layers, QueriesOfMinistralGrowWithThePosition) {
    const Scene scene = scene_of(R"({"model_type": "ministral3", "hidden_size": 128, "num_attention_heads": 2,
        "rope_parameters": {"rope_type": "yarn", "rope_theta": 1e6, "factor": 16.0, "original_max_position_embeddings": 16,
        "mscale_all_dim": 1.0, "mscale": 1.0, "llama_4_scaling_beta": 0.1}})");
    const auto action = action_of(scene);
    ASSERT_TRUE(action);
    EXPECT_EQ(action->scale, 1.0 / 8.0) << "no softmax factor";
    const auto norm = [&](Side side, std::int64_t position) {
        std::vector<double> x(64, 1.0);
        action->turn(side, position, x);
        double square = 0.0;
        for (const double feature : x) square += feature * feature;
        return std::sqrt(square);
    };
    EXPECT_NEAR(norm(Side::query, 100) / norm(Side::query, 0), 1.0 + 0.1 * std::log(7.0), 1e-12);
    EXPECT_NEAR(norm(Side::key, 100) / norm(Side::key, 0), 1.0, 1e-12);
}

// The rotated part of a latent head comes last; the score does not depend on where.
TEST(Layers, TheRotatedPartMayComeLast) {
    const Scene scene = scene_of(R"({"model_type": "deepseek_v3", "hidden_size": 64, "num_attention_heads": 2,
        "qk_rope_head_dim": 8, "qk_nope_head_dim": 16, "rope_theta": 10000})");
    const auto action = action_of(scene);
    ASSERT_TRUE(action);
    std::vector<double> x(24);
    for (std::size_t f = 0; f < x.size(); ++f) x[f] = static_cast<double>(f + 1);
    std::vector<double> rotated = x;
    action->turn(Side::query, 5, rotated);
    for (std::size_t f = 0; f < 16; ++f) EXPECT_EQ(rotated[f], x[f]);
    EXPECT_NE(rotated[16], x[16]);
    const LogitWaves waves = action->waves({0, 0, x, x});
    double constant = 0.0;
    for (std::size_t f = 0; f < 16; ++f) constant += x[f] * x[f];
    EXPECT_NEAR(waves.constant, action->scale * constant, 1e-9);
}

}  // namespace
}  // namespace posiscope::families_test
