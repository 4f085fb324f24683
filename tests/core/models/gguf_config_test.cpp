// The settings of a .gguf as a config: the same Scene as the config.json that they were converted from gives.
#include "core/encodings/encodings.hpp"
#include "core/formats/gguf.hpp"
#include "core/models/config.hpp"
#include "core/models/gguf_config.hpp"
#include "core/scene/scene.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace posiscope::gguf_config_test {
namespace {

Gguf llama() {
    return {{{"general.architecture", "llama"},
             {"llama.context_length", 4096},
             {"llama.embedding_length", 2048},
             {"llama.attention.head_count", 32},
             {"llama.attention.head_count_kv", 8},
             {"llama.rope.dimension_count", 64},
             {"llama.rope.freq_base", 500000.0}},
            {}};
}

Scene scene_of(const Gguf& file, const GgufDivisors& divisors = {}) {
    const auto config = config_of_gguf(file, divisors);
    EXPECT_TRUE(config) << to_string(config.error());
    const auto model = read_config(*config);
    EXPECT_TRUE(model) << to_string(model.error());
    return overlay(Scene(), model->scene)->scene;
}

TEST(GgufConfig, IsTheConfigItWasConvertedFrom) {
    const auto config = read_config(Json{{"model_type", "llama"},
                                         {"hidden_size", 2048},
                                         {"num_attention_heads", 32},
                                         {"num_key_value_heads", 8},
                                         {"rope_theta", 500000.0},
                                         {"max_position_embeddings", 4096}});
    Scene wanted = overlay(Scene(), config->scene)->scene, made = scene_of(llama());
    EXPECT_EQ(made.layout, PairLayout::interleaved) << "its rows are permuted";
    EXPECT_EQ(made.base, wanted.base);
    EXPECT_EQ(made.d_model, wanted.d_model);
    EXPECT_EQ(made.num_heads, wanted.num_heads);
    EXPECT_EQ(made.trained.length, wanted.trained.length);
    EXPECT_EQ(made.encoding.kind, "rope");
}

TEST(GgufConfig, ScalingsAndPartsAreRead) {
    Gguf file = llama();
    file.settings["llama.rope.scaling.type"] = "yarn";
    file.settings["llama.rope.scaling.factor"] = 4.0;
    file.settings["llama.rope.scaling.original_context_length"] = 1024;
    const Json yarn = scene_of(file).encoding.parameters["rope_scaling"];
    EXPECT_EQ(yarn["rope_type"], "yarn");
    EXPECT_EQ(yarn["factor"], 4.0);
    EXPECT_EQ(yarn["original_max_position_embeddings"], 1024);
    // A factor alone is linear.
    file = llama();
    file.settings["llama.rope.scale_linear"] = 2.0;
    EXPECT_EQ(scene_of(file).encoding.parameters["rope_scaling"]["rope_type"], "linear");
    Gguf neox{{{"general.architecture", "gptneox"},
               {"gptneox.context_length", 2048},
               {"gptneox.embedding_length", 1024},
               {"gptneox.attention.head_count", 16},
               {"gptneox.rope.dimension_count", 16}},
              {}};
    const Scene part = scene_of(neox);
    EXPECT_EQ(part.layout, PairLayout::halves);
    EXPECT_EQ(part.encoding.parameters["partial_rotary_factor"], 0.25);
}

// Eight architectures by their own keys, as llama.cpp's converter writes them.
TEST(GgufConfig, ArchitecturesAreReadByTheirKeys) {
    const auto file = [](const std::string& name, Json more) {
        Json settings{{"general.architecture", name},       {name + ".context_length", 32768},
                      {name + ".embedding_length", 2048},   {name + ".block_count", 12},
                      {name + ".attention.head_count", 16}, {name + ".attention.key_length", 128}};
        for (const auto& [key, value] : more.items()) settings[name + "." + key] = value;
        return Gguf{settings, {}};
    };
    const auto spectrum = [](const Scene& scene) { return *spectrum_of(scene); };
    const Scene vision =
        scene_of(file("qwen3vl", {{"rope.freq_base", 5e6}, {"rope.dimension_sections", {24, 20, 20, 0}}}));
    EXPECT_EQ(spectrum(vision).pairs(), 64U);
    EXPECT_EQ(vision.layout, PairLayout::halves);
    EXPECT_EQ(vision.encoding.parameters["rope_scaling"]["mrope_interleaved"], true);
    const Scene hybrid = scene_of(file("qwen35", {{"rope.freq_base", 1e7},
                                                  {"attention.key_length", 256},
                                                  {"rope.dimension_count", 64},
                                                  {"full_attention_interval", 4},
                                                  {"rope.dimension_sections", {11, 11, 10, 0}}}));
    EXPECT_EQ(spectrum(hybrid).pairs(), 32U);
    const Scene glm = scene_of(file("chatglm", {{"rope.freq_base", 1e4}, {"rope.dimension_count", 64}}));
    EXPECT_EQ(spectrum(glm).pairs(), 32U);
    EXPECT_EQ(glm.layout, PairLayout::interleaved);
    const Scene gemma = scene_of(file("gemma3", {{"rope.freq_base", 1e6},
                                                 {"rope.scaling.type", "linear"},
                                                 {"rope.scaling.factor", 8.0},
                                                 {"attention.key_length", 256},
                                                 {"attention.sliding_window", 1024}}));
    EXPECT_EQ(spectrum(gemma).frequency[0], 0.125) << "the global layers first";
    EXPECT_EQ(gemma.encoding.parameters["rope_scaling"]["sliding_attention"]["rope_theta"], 10000.0);
    const Scene latent = scene_of(file("deepseek2", {{"rope.freq_base", 1e4},
                                                     {"attention.key_length", 192},
                                                     {"rope.dimension_count", 64},
                                                     {"rope.scaling.type", "yarn"},
                                                     {"rope.scaling.factor", 40.0},
                                                     {"rope.scaling.original_context_length", 4096},
                                                     {"rope.scaling.yarn_log_multiplier", 0.1}}));
    EXPECT_EQ(spectrum(latent).pairs(), 32U);
    EXPECT_NEAR(spectrum(latent).logit_factor, 1.8739, 5e-5);
    for (const char* other : {"exaone4", "glm4moe", "somethingnew"})
        EXPECT_EQ(spectrum(scene_of(file(other, {{"rope.freq_base", 1e6}}))).pairs(), 64U) << other;
}

// Layer kinds, latent attention and YaRN's own numbers; architectures that rotate nothing.
TEST(GgufConfig, KindsAndScalingsAreTheConfigs) {
    const auto scene = [](std::string_view arch, Json more) {
        Json settings{{"general.architecture", arch}};
        for (const auto& [key, value] : more.items()) settings[fmt::format("{}.{}", arch, key)] = value;
        return scene_of(Gguf{settings, {}});
    };
    const Scene kinds = scene("gpt-oss", {{"context_length", 131072},
                                          {"embedding_length", 2880},
                                          {"block_count", 4},
                                          {"attention.head_count", 64},
                                          {"attention.key_length", 64},
                                          {"attention.sliding_window", 128},
                                          {"rope.freq_base", 150000.0},
                                          {"attention.sliding_window_pattern", {true, true, false, true}}});
    EXPECT_EQ(kinds.encoding.parameters["layer_types"],
              (Json{"sliding_attention", "sliding_attention", "full_attention", "sliding_attention"}));
    const Json yarn = scene("mistral3", {{"context_length", 262144},
                                         {"embedding_length", 4096},
                                         {"block_count", 4},
                                         {"attention.head_count", 32},
                                         {"attention.key_length", 128},
                                         {"rope.freq_base", 1e6},
                                         {"rope.scaling.type", "yarn"},
                                         {"rope.scaling.factor", 16.0},
                                         {"rope.scaling.original_context_length", 16384},
                                         {"rope.scaling.yarn_beta_fast", 24.0},
                                         {"rope.scaling.yarn_log_multiplier", 0.1},
                                         {"attention.temperature_scale", 0.1}})
                          .encoding.parameters["rope_scaling"];
    EXPECT_EQ(yarn["beta_fast"], 24.0);
    EXPECT_EQ(yarn["llama_4_scaling_beta"], 0.1);
    const Scene latent = scene("mistral4", {{"context_length", 1048576},
                                            {"embedding_length", 4096},
                                            {"block_count", 4},
                                            {"attention.head_count", 32},
                                            {"attention.kv_lora_rank", 256},
                                            {"attention.key_length_mla", 128},
                                            {"rope.dimension_count", 64},
                                            {"rope.freq_base", 1e4}});
    EXPECT_EQ(latent.encoding.parameters["rotary_dim"], 64);
    EXPECT_EQ(latent.encoding.parameters["rotary_offset"], 64);
    const Json shape{{"context_length", 512}, {"embedding_length", 768}, {"attention.head_count", 12}};
    EXPECT_EQ(scene("bert", shape).encoding.kind, "learned");
    EXPECT_EQ(scene("bloom", shape).encoding.kind, "alibi");
    EXPECT_EQ(scene("t5", shape).encoding.kind, "t5");
}

TEST(GgufConfig, FrequenciesAreDividedByTheTensorOfLlama3) {
    std::vector<double> divisors(32, 1.0);
    for (std::size_t i = 20; i < 32; ++i) divisors[i] = 8.0;
    const Json scaling = scene_of(llama(), {divisors, {}, {}}).encoding.parameters["rope_scaling"];
    EXPECT_EQ(scaling["rope_type"], "longrope");
    EXPECT_EQ(scaling["short_factor"], scaling["long_factor"]);
    EXPECT_EQ(scaling["long_factor"][31], 8.0);
}

// Phi-3 and MiniCPM: two lists, of which the text's length chooses one, and the factor on cos and sin.
TEST(GgufConfig, LongRopesTwoListsAreRead) {
    Gguf file = llama();
    file.settings["llama.context_length"] = 131072;
    file.settings["llama.rope.scaling.original_context_length"] = 4096;
    file.settings["llama.rope.scaling.attn_factor"] = 1.19;
    const GgufDivisors lists{{}, std::vector<double>(32, 1.0), std::vector<double>(32, 4.0)};
    for (const bool named : {false, true}) {
        if (named) file.settings["llama.rope.scaling.type"] = "longrope";
        Scene scene = scene_of(file, lists);
        scene.length = 131072;
        EXPECT_DOUBLE_EQ(spectrum_of(scene)->frequency[0], 0.25);
        EXPECT_EQ(spectrum_of(scene)->attention_factor, 1.19);
        scene.length = 4096;
        EXPECT_EQ(spectrum_of(scene)->frequency[0], 1.0);
    }
    file.settings["llama.rope.scaling.type"] = "yarn";
    file.settings["llama.rope.scaling.factor"] = 4.0;
    EXPECT_EQ(config_of_gguf(file, lists).error().key, "gguf.scaling");
}

// Sixteen bytes are kept of every byte of a list, and a hundred of an empty setting.
TEST(GgufConfig, AHeaderOfManyValuesIsRefusedForItsMemory) {
    const auto number = [](auto value) {
        std::string bytes(sizeof(value), '\0');
        std::memcpy(bytes.data(), &value, sizeof(value));
        return bytes;
    };
    const auto refusal = [&](std::uint64_t settings, const std::string& each) {
        std::string header = "GGUF" + number(std::uint32_t{3}) + number(std::uint64_t{0}) + number(settings);
        for (std::uint64_t n = 0; n < settings; ++n)
            header += number(std::uint64_t{8}) + fmt::format("k{:07}", n) + each;
        const auto read = read_gguf(header.size(), [&](std::uint64_t from, std::span<char> into) {
            std::copy_n(header.begin() + static_cast<std::ptrdiff_t>(from), into.size(), into.begin());
            return true;
        });
        return read ? std::string() : read.error().key;
    };
    const std::string list = number(std::uint32_t{9}) + number(std::uint32_t{0}) +
                             number(std::uint64_t{4096}) + std::string(4096, '\0'),
                      flag = number(std::uint32_t{7}) + std::string(1, '\0');
    EXPECT_EQ(refusal(100, list), "");
    EXPECT_EQ(refusal(1000, list), "gguf.memory");
    EXPECT_EQ(refusal(100000, flag), "");
    EXPECT_EQ(refusal(1000000, flag), "gguf.memory");
    EXPECT_EQ(refusal(2, "x"), "gguf.header");
}

TEST(GgufConfig, WhatIsNotKnownIsRefused) {
    Gguf file = llama();
    file.settings["general.architecture"] = "mamba";
    EXPECT_EQ(config_of_gguf(file, {}).error().key, "gguf.architecture");
    file = llama();
    file.settings["llama.rope.scaling.type"] = "longrope";
    EXPECT_EQ(config_of_gguf(file, {}).error().key, "gguf.scaling");
    file.settings.erase("general.architecture");
    EXPECT_EQ(config_of_gguf(file, {}).error().key, "gguf.architecture");
}

}  // namespace
}  // namespace posiscope::gguf_config_test
