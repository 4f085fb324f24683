// Models: configs in both spellings, the known rows, and errors.
#include "core/encodings/rope_layers.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/models/models.hpp"
#include "tests/core/scenes.hpp"
#include "tests/places.hpp"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <rapidcheck/gtest.h>

namespace posiscope::models_test {
namespace {

std::string models_json() {
    std::ifstream file(std::string(test::kTree) + "/assets/models.json");
    return {std::istreambuf_iterator<char>(file), {}};
}

Spectrum spectrum_of_config(std::string_view text) {
    const auto model = read_config_text(text);
    if (!model) throw std::logic_error(to_string(model.error()));
    return *spectrum_of(overlay(Scene(), model->scene)->scene);
}

std::string refused(std::string_view text) {
    const auto model = read_config_text(text);
    return model ? "" : to_string(model.error());
}

Scene scene_of_model(std::string_view name) {
    const auto rows = read_models(models_json());
    return with_model(Scene(), *model_scene(*rows, name))->scene;
}
Spectrum spectrum_of_model(std::string_view name) {
    Scene scene = scene_of_model(name);
    scene.length = Scene().length;
    return *spectrum_of(scene);
}

// A row is a config: opened as a file it gives the same Scene, and it is known by its settings.
TEST(Models, ARowEqualsItsConfig) {
    const auto rows = read_models(models_json());
    ASSERT_TRUE(rows) << to_string(rows.error());
    EXPECT_EQ(rows->size(), 79U);
    const Json listed = parse_json(models_json())->at("models");
    for (std::size_t n = 0; n < rows->size(); ++n) {
        const ModelRow& row = (*rows)[n];
        SCOPED_TRACE(row.name);
        EXPECT_FALSE(row.source.empty());
        auto opened = read_config_text(listed[n].at("config").dump());
        ASSERT_TRUE(opened) << to_string(opened.error());
        name_origin(*opened, *rows, "config.json");
        Scene as_file = with_model(Scene(), *opened)->scene;
        if (has_pairs(row.scene) && row.scene.trained.length) {  // a row is known by its rotation and length
            EXPECT_EQ(as_file.view["model"].at("from"), row.scene.view.at("model").at("from"));
        }
        as_file.view = row.scene.view;  // two models may have the same settings
        EXPECT_EQ(as_file, row.scene);
        EXPECT_EQ(row.scene.length, row.scene.trained.length.value_or(row.scene.length));
    }
}

// Lengths, windows and chunks as their official configs have them.
TEST(Models, LengthsWindowsAndChunks) {
    const auto length = [](std::string_view name) { return scene_of_model(name).trained.length; };
    EXPECT_EQ(length("google/gemma-3-1b-it"), 32768);
    EXPECT_EQ(length("google/gemma-2b"), 8192);
    EXPECT_EQ(length("mistralai/Mistral-7B-v0.1"), 32768);
    EXPECT_EQ(length("openai-community/gpt2"), 1024);
    const auto windows = [](std::string_view name) {
        std::vector<std::int64_t> found;
        for (const RopeLayers::Kind& kind : rope_layers(scene_of_model(name)).kinds)
            found.push_back(kind.window.value_or(0));
        std::ranges::sort(found);
        return found;
    };
    using Windows = std::vector<std::int64_t>;
    EXPECT_EQ(windows("google/gemma-2-9b"), (Windows{0, 4096}));
    EXPECT_EQ(windows("google/gemma-3-4b-it"), (Windows{0, 1024}));
    EXPECT_EQ(windows("google/gemma-3n-E4B"), (Windows{0, 512}));
    EXPECT_EQ(windows("google/gemma-4-31B"), (Windows{0, 1024}));
    EXPECT_EQ(windows("openai/gpt-oss-20b"), (Windows{0, 128}));
    EXPECT_EQ(windows("answerdotai/ModernBERT-base"), (Windows{0, 65}));
    EXPECT_EQ(rope_settings(scene_of_model("mistralai/Mistral-7B-v0.1"))->window, 4096);
    for (const char* llama : {"meta-llama/Llama-4-Scout-17B-16E", "meta-llama/Llama-4-Maverick-17B-128E"})
        EXPECT_EQ(rope_settings(scene_of_model(llama))->chunk, 8192) << llama;
}

TEST(Models, ARowThatIsNotSeenSaysSo) {
    const auto rows = read_models(R"({"models": [
        {"name": "a", "source": "x", "confidence": "partly unverified: its base from recollection",
         "config": {"model_type": "llama", "hidden_size": 16, "num_attention_heads": 2, "rope_theta": 100}},
        {"name": "b", "source": "x", "confidence": "seen",
         "config": {"model_type": "llama", "hidden_size": 16, "num_attention_heads": 2, "rope_theta": 100}}]})");
    ASSERT_TRUE(rows);
    const auto said = [](const ModelScene& model) {
        return std::any_of(model.notes.begin(), model.notes.end(), [](const Problem& note) {
            return to_string(note) ==
                   "model.unverified (name=a, confidence=partly unverified: its base from recollection)";
        });
    };
    EXPECT_TRUE(said((*rows)[0].model));
    EXPECT_FALSE(said((*rows)[1].model));
    EXPECT_EQ(read_models(R"({"models": [{"name": "c", "config": {"model_type": "wav2vec2"}}]})").error().key,
              "config.no_encoding");
}

TEST(Models, WhatTheRowsSay) {
    EXPECT_EQ(spectrum_of_model("EleutherAI/pythia-70m").pairs(), 8U);
    EXPECT_NEAR(spectrum_of_model("openai/gpt-oss-20b").attention_factor, 1.346574, 5e-7);
    EXPECT_NEAR(spectrum_of_model("deepseek-ai/DeepSeek-V3").logit_factor, 1.8739, 5e-5);
    EXPECT_EQ(spectrum_of_model("google/gemma-4-31B").pairs(), 256U);  // its global layers
    EXPECT_EQ(spectrum_of_model("google/gemma-4-31B").frequency[64], 0.0);
    EXPECT_EQ(spectrum_of_model("google/gemma-3-4b-it").frequency[0], 0.125);
    const auto rows = read_models(models_json());
    EXPECT_TRUE(model_scene(*rows, "Qwen/Qwen2.5-7B-Instruct-1M")->unverified);
    // LongRoPE's factor: √(1 + ln 32 / ln 4096).
    for (const char* phi : {"microsoft/Phi-3-mini-128k-instruct", "microsoft/Phi-4-mini-instruct"}) {
        EXPECT_NEAR(spectrum_of_model(phi).attention_factor, 1.190238, 5e-7) << phi;
        EXPECT_EQ(spectrum_of_model(phi).pairs(), 48U) << phi;
    }
    Scene phi = overlay(Scene(), model_scene(*rows, "microsoft/Phi-4-mini-instruct")->scene)->scene;
    phi.length = 131072;
    EXPECT_NEAR(spectrum_of(phi)->frequency[47], std::pow(10000.0, -47.0 / 48.0) / 47.77, 1e-15);
    EXPECT_FALSE(model_scene(*rows, "meta-llama/Meta-Llama-3.1-8B")->unverified);
    EXPECT_EQ(model_scene(*rows, "facebook/opt-125m")->scene["encoding"]["position_offset"], 2);
    EXPECT_EQ(to_string(model_scene(*rows, "Meta-Llama-3.1-8b").error()),
              "model.unknown (name=Meta-Llama-3.1-8b, nearest=meta-llama/Meta-Llama-3.1-8B)");
    EXPECT_EQ(read_models("{}").error().key, "models.form");
}

TEST(Config, BothSpellingsAreOne) {
    const Spectrum older = spectrum_of_config(
        R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000.0,
        "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})");
    const Spectrum newer =
        spectrum_of_config(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "rope_parameters": {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})");
    EXPECT_EQ(older, newer);
    EXPECT_EQ(older, spectrum_of_model("meta-llama/Meta-Llama-3.1-8B"));
}

TEST(Config, NamesOfManyFamilies) {
    EXPECT_EQ(
        spectrum_of_config(
            R"({"model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25, "rotary_emb_base": 10000})")
            .pairs(),
        12U);
    EXPECT_EQ(spectrum_of_config(R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64})")
                  .pairs(),
              32U);
    EXPECT_EQ(
        spectrum_of_config(
            R"({"model_type": "gemma3", "text_config": {"hidden_size": 2560, "num_attention_heads": 8, "head_dim": 256,
        "rope_theta": 1e6, "rope_local_base_freq": 1e4, "rope_scaling": {"rope_type": "linear", "factor": 8}}})"),
        spectrum_of_model("google/gemma-3-4b-it"));
    const auto kind = [](std::string_view text) { return read_config_text(text)->scene["encoding"]; };
    EXPECT_EQ(kind(R"({"model_type": "bloom", "n_embd": 64, "n_head": 4})")["variant"], "bloom");
    EXPECT_EQ(
        kind(
            R"({"model_type": "mpt", "d_model": 64, "n_heads": 4, "attn_config": {"alibi": true, "alibi_bias_max": 16}})")
            ["alibi_bias_max"],
        16);
    EXPECT_EQ(
        kind(R"({"model_type": "t5", "d_model": 512, "num_heads": 8, "relative_attention_num_buckets": 64})")
            ["num_buckets"],
        64);
    EXPECT_EQ(
        kind(
            R"({"model_type": "roberta", "hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 514})")
            ["max_position_embeddings"],
        512);
    EXPECT_EQ(kind(R"({"model_type": "marian", "d_model": 512, "decoder_attention_heads": 8})")["variant"],
              "halves");
}

TEST(Config, RefusalsNameKeyValueAndBound) {
    EXPECT_EQ(refused(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": -4})"),
              "value.range (path=num_attention_heads, value=-4, minimum=1, maximum=32768)");
    EXPECT_EQ(refused(R"({"model_type": "llama", "hidden_size": "64"})"),
              "value.kind (path=hidden_size, kind=integer, value=\"64\")");
    EXPECT_EQ(refused(R"({"model_type": "llama", "rope_theta": 0.5})"),
              "value.above_range (path=rope_theta, value=0.5, minimum=1, maximum=1e18)");
    EXPECT_EQ(refused(R"({"model_type": "llama", "rope_scaling": [8]})"),
              "value.kind (path=rope_scaling, kind=dictionary, value=[8])");
    EXPECT_EQ(refused(R"({"model_type": "llama", "rope_scaling": {"rope_type": "magic"}})").substr(0, 57),
              "value.choice (path=rope_scaling.rope_type, value=\"magic\",");
    EXPECT_EQ(
        refused(
            R"({"model_type": "phi3", "hidden_size": 8, "num_attention_heads": 2, "rope_scaling": {"type": "longrope", "short_factor": [1, 2, 3], "long_factor": [1, 2]},
        "max_position_embeddings": 8192, "original_max_position_embeddings": 4096})"),
        "scaling.factors_count (key=short_factor, value=3, needed=2)");
    EXPECT_EQ(refused("[]"), "config.object (kind=list)");
    EXPECT_EQ(refused("{"), "json.syntax (line=1, column=2)");
    EXPECT_EQ(refused(R"({"model_type": "wav2vec2"})"), "config.no_encoding (model_type=wav2vec2)");
    EXPECT_EQ(refused(std::string(kLargestConfig + 1, ' ')).substr(0, 16), "config.too_large");
}

TEST(Config, KeysThatAScalingDoesNotKnowAreNamed) {
    const auto model = read_config_text(
        R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 10000, "rope_scaling": {"type": "linear", "factor": 2, "finetuned": true}})");
    ASSERT_TRUE(model);
    EXPECT_EQ(to_string(model->notes.front()), "config.ignored (key=finetuned)");
}

const std::string kConfig =
    R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
"rope_theta": 10000, "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "beta_fast": 32, "beta_slow": 1,
"mscale": 1.0, "mscale_all_dim": 1.0}, "max_position_embeddings": 163840, "layer_types": ["full_attention"], "no_rope_layers": [1, 0]})";

RC_GTEST_PROP(Config, ADamagedFileNeverCrashes, (std::uint8_t byte)) {
    std::string damaged = kConfig;
    damaged[*rc::gen::inRange<std::size_t>(0, damaged.size())] = static_cast<char>(byte);
    (void)refused(damaged);
}

// Every key with every type of value, one at a time.
TEST(Config, AnyTypeInAnyPlaceIsASentence) {
    const Json whole = *parse_json(kConfig);
    std::vector<Json::json_pointer> places;
    const Json flat = whole.flatten();  // items() only refers to it
    for (const auto& [pointer, value] : flat.items()) places.emplace_back(pointer);
    places.emplace_back("/rope_scaling");
    places.emplace_back("/layer_types");
    for (const auto& place : places)
        for (const Json& value : {Json(nullptr), Json(true), Json(-1), Json(0), Json(1e300), Json("x"),
                                  Json::array({1}), Json::object(), Json{{"a", Json::object()}}}) {
            Json changed = whole;
            changed[place] = value;
            const auto model = read_config(changed);
            EXPECT_TRUE(model ? overlay(Scene(), model->scene).has_value() : !model.error().key.empty())
                << place.to_string() << " = " << value.dump();
        }
}

TEST(Models, AModelBringsItsLengthAndAFileItsName) {
    const auto rows = *read_models(models_json());
    const auto llama = *model_scene(rows, "meta-llama/Llama-2-7b-hf");
    EXPECT_EQ(with_model(Scene(), llama)->scene.length, 4096);
    for (const Problem& note : llama.notes)
        EXPECT_NE(note.key, "model.width_made") << "RoPE turns heads; the width around them does not matter";

    constexpr std::string_view genuine =
        R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "max_position_embeddings": 131072, "rope_theta": 500000.0, "rope_scaling": {"factor": 8.0, "high_freq_factor": 4.0,
        "low_freq_factor": 1.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"}})";
    auto known = *read_config_text(genuine);
    name_origin(known, rows, "models/config.json");
    const Scene as_known = with_model(Scene(), known)->scene;
    EXPECT_EQ(origin_name(as_known), "meta-llama/Meta-Llama-3.1-8B");
    EXPECT_FALSE(origin_of(as_known).assumed) << "it is a model whose training is known";

    auto other = *read_config_text(R"({"model_type": "llama", "hidden_size": 640, "num_attention_heads": 5,
        "max_position_embeddings": 777, "rope_theta": 12345.0})");
    name_origin(other, rows, "models/mine.json");
    const Scene as_other = with_model(Scene(), other)->scene;
    EXPECT_EQ(origin_name(as_other), "mine.json");
    EXPECT_TRUE(origin_of(as_other).assumed);
    EXPECT_EQ(as_other.length, 777);
    EXPECT_TRUE(origin_of(with_model(Scene(), *model_scene(rows, "meta-llama/Llama-4-Scout-17B-16E"))->scene)
                    .unverified);
}

// A config of any size names a few of its oddities, and the Scene keeps no more than it can carry.
TEST(Configs, OfManyUnknownKeysAFewAreNamed) {
    Json config{{"model_type", "llama"},     {"hidden_size", 4096},
                {"num_attention_heads", 32}, {"max_position_embeddings", 4096},
                {"rope_theta", 10000.0},     {"rope_scaling", {{"rope_type", "linear"}, {"factor", 2.0}}}};
    for (int i = 0; i < 16000; ++i) config["rope_scaling"]["unknown" + std::to_string(i)] = i;
    config["rope_scaling"][std::string(100000, 'k')] = 1;
    const auto model = read_config(config);
    ASSERT_TRUE(model) << to_string(model.error());
    EXPECT_LT(model->notes.size(), 32U);
    EXPECT_TRUE(std::any_of(model->notes.begin(), model->notes.end(), [](const Problem& note) {
        return note.key == "config.ignored_more" && *value_of(note, "count") == "15985";
    }));
    EXPECT_TRUE(overlay(Scene(), model->scene));

    config["rope_scaling"] = Json::object();
    for (int i = 0; i < 25000; ++i)
        config["rope_scaling"]["t" + std::to_string(i)] = {{"rope_type", "default"}};
    EXPECT_EQ(refused(config.dump()), "layer.types (path=rope_scaling, count=25000, maximum=64)");
    config.erase("rope_scaling");
    config["no_rope_layers"] = Json(std::vector<int>(300000, 1));
    EXPECT_EQ(refused(config.dump()), "value.many (path=no_rope_layers, count=300000, maximum=4096)");
}

}  // namespace
}  // namespace posiscope::models_test
