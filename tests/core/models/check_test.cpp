// The config check of models run with their trained settings and with others.
#include "core/models/check.hpp"
#include "core/models/models.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>

namespace posiscope::check_test {
namespace {

constexpr std::string_view kLlama3 = R"({"kind": "rope", "rope_scaling": {"rope_type": "llama3",
    "factor": 8.0, "original_max_position_embeddings": 8192}, "max_position_embeddings": 131072})";

Scene llama(std::string_view now, std::int64_t length) {
    return scene(fmt::format(R"({{"encoding": {}, "base": 500000, "d_model": 4096, "num_heads": 32,
        "length": {}, "trained": {{"length": 131072, "scene": {{"encoding": {}}}}}}})",
                             now, length, kLlama3));
}

const Finding* find(const std::vector<Finding>& all, std::string_view key) {
    for (const Finding& one : all)
        if (one.problem.key == key) return &one;
    return nullptr;
}

// Errors and notes.
std::ptrdiff_t objections(const std::vector<Finding>& all) {
    return std::ranges::count_if(all, [](const Finding& f) { return f.severity != Severity::fine; });
}

std::string value(const std::vector<Finding>& all, std::string_view key, std::string_view name) {
    const Finding* one = find(all, key);
    if (one == nullptr) return "no finding";
    const std::string* found = value_of(one->problem, name);
    return found == nullptr ? "no value" : *found;
}

// Llama 3.1 (llama3, factor 8, trained to 131 072) run as yarn, factor 4, over 8192.
TEST(Check, Llama3RunAsYarn) {
    const auto found = *check_settings(llama(R"({"kind": "rope", "rope_scaling": {"rope_type": "yarn",
        "factor": 4.0, "original_max_position_embeddings": 8192}, "max_position_embeddings": 131072})",
                                             65536));
    EXPECT_EQ(value(found, "check.replaced", "changed"), "45");
    EXPECT_EQ(value(found, "check.replaced", "pairs"), "64");
    EXPECT_EQ(value(found, "check.replaced", "off"), "22");
    EXPECT_EQ(value(found, "check.replaced", "worst"), "20.6");
    EXPECT_EQ(value(found, "check.replaced", "trained_method"), "llama3");
    EXPECT_EQ(value(found, "check.reach", "reach"), "32768");
    EXPECT_EQ(value(found, "check.reach", "mend"), "16") << "one factor for both objections";
    EXPECT_EQ(value(found, "check.attention", "now"), "1.296");
    EXPECT_EQ(value(found, "check.attention", "trained"), "1");
    EXPECT_EQ(value(found, "check.attention", "mend"), "1") << "llama3 multiplies by nothing";
    EXPECT_EQ(value(found, "check.product_short", "product"), "32768");
    EXPECT_EQ(value(found, "check.product_short", "mend"), "16");
    EXPECT_NE(find(found, "check.unseen_fine"), nullptr) << "no pair leaves its trained arc";
    EXPECT_NE(find(found, "check.ignored_fine"), nullptr);
    EXPECT_EQ(objections(found), 4);
    EXPECT_EQ(found.front().severity, Severity::wrong) << "what is wrong comes first";
    EXPECT_EQ(found.back().severity, Severity::fine);
}

TEST(Check, AModelRunAsItWasTrainedHasNothingWrong) {
    const auto found = *check_settings(llama(kLlama3, 131072));
    for (const Finding& one : found) EXPECT_NE(one.severity, Severity::wrong) << to_string(one.problem);
    EXPECT_EQ(objections(found), 0) << "8 × 8192 is half of its 131 072, but llama3's factor sets no length";
    EXPECT_EQ(value(found, "check.reach_fine", "reach"), "131072");
}

TEST(Check, PlainRopePastItsTraining) {
    const auto plain = [](std::int64_t length) {
        return *check_settings(scene(fmt::format(
            R"({{"encoding": "rope", "d_model": 128, "length": {}, "trained": {{"length": 4096, "scene": {{"encoding": "rope"}}}}}})",
            length)));
    };
    EXPECT_EQ(objections(plain(4096)), 0);
    const auto longer = plain(8192);
    EXPECT_EQ(value(longer, "check.unseen", "count"), "18");
    EXPECT_EQ(value(longer, "check.unseen", "first"), "46");
    EXPECT_EQ(value(longer, "check.unseen", "last"), "63");
    EXPECT_EQ(value(longer, "check.unscaled", "trained"), "4096");
}

TEST(Check, PositionInterpolationReachesWhatItsFactorSays) {
    const auto linear = [](std::int64_t length) {
        return *check_settings(scene(fmt::format(
            R"({{"encoding": {{"kind": "rope", "rope_scaling": {{"rope_type": "linear", "factor": 4}}}}, "d_model": 128,
            "length": {}, "trained": {{"length": 4096, "scene": {{"encoding": "rope"}}}}}})",
            length)));
    };
    EXPECT_EQ(value(linear(16384), "check.reach_fine", "reach"), "16384");
    EXPECT_NE(find(linear(16384), "check.unseen_fine"), nullptr);
    EXPECT_EQ(find(linear(16384), "check.replaced")->severity, Severity::note)
        << "scaling weights that knew none is what a scaling is for";
    EXPECT_EQ(value(linear(16385), "check.reach", "mend"), "4.01");
    EXPECT_NE(find(linear(16385), "check.unseen"), nullptr);
}

std::vector<Finding> check_of(std::string_view config, std::int64_t length = 0) {
    auto model = read_config_text(config);
    EXPECT_TRUE(model) << to_string(model.error());
    Scene read = with_model(Scene(), *model)->scene;
    if (length > 0) read.length = length;
    return *check_settings(read);
}

// Released configs whose factor × original length is not their length: trained so, and no advice says otherwise.
TEST(Check, ReleasedConfigsAreNotAccused) {
    for (
        const std::string_view released :
        {R"({"model_type": "llama", "hidden_size": 2048, "num_attention_heads": 32, "head_dim": 64, "rope_theta": 500000.0,
              "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0,
              "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})",
         R"({"model_type": "llama4_text", "hidden_size": 5120, "num_attention_heads": 40, "head_dim": 128,
              "rope_theta": 500000.0, "max_position_embeddings": 10485760, "num_hidden_layers": 48, "attention_chunk_size": 8192,
              "rope_scaling": {"rope_type": "llama3", "factor": 16.0, "low_freq_factor": 1.0, "high_freq_factor": 1.0,
              "original_max_position_embeddings": 8192}})",
         R"({"model_type": "csm", "hidden_size": 1024, "num_attention_heads": 16, "head_dim": 64, "rope_theta": 500000.0,
              "max_position_embeddings": 2048, "rope_scaling": {"rope_type": "llama3", "factor": 32.0,
              "low_freq_factor": 0.125, "high_freq_factor": 0.5, "original_max_position_embeddings": 1024}})"}) {
        for (const Finding& one : check_of(released)) {
            EXPECT_NE(one.severity, Severity::wrong) << to_string(one.problem);
            EXPECT_EQ(one.problem.key.find("check.product"), std::string::npos) << to_string(one.problem);
        }
    }
    const auto longer = check_of(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "rope_theta": 500000.0, "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "llama3", "factor": 8.0,
        "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})",
                                 262144);
    EXPECT_EQ(value(longer, "check.past_trained", "trained"), "131072");
}

// A scaling that covers more than the limit breaks nothing: Yarn-Mistral 128k, and Qwen3 as its model card scales it.
TEST(Check, MoreThanTheLimitIsNoError) {
    for (
        const std::string_view released :
        {R"({"model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 10000.0,
              "max_position_embeddings": 32768, "rope_scaling": {"type": "yarn", "factor": 16.0,
              "original_max_position_embeddings": 8192}})",
         R"({"model_type": "qwen3", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128, "rope_theta": 1000000,
              "max_position_embeddings": 40960, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
              "original_max_position_embeddings": 32768}})"}) {
        const auto found = check_of(released);
        for (const Finding& one : found) EXPECT_NE(one.severity, Severity::wrong) << to_string(one.problem);
        EXPECT_EQ(value(found, "check.product_beyond", "product"), "131072");
    }
}

// A file says how a model is run. That it is also how it was trained is an assumption, and no excuse for numbers that
// do not fit one another.
TEST(Check, AConfigIsNotProofOfItsOwnTraining) {
    constexpr std::string_view yarn =
        R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "max_position_embeddings": 131072, "rope_theta": 500000.0,
        "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}})";
    const auto found = check_of(yarn);
    EXPECT_EQ(find(found, "check.product_trained"), nullptr) << "nobody knows that it was trained so";
    EXPECT_EQ(value(found, "check.product_short", "mend"), "16");
    EXPECT_EQ(value(found, "check.reach", "reach"), "32768");
    EXPECT_EQ(value(found, "check.assumed", "length"), "131072");
    for (const char* vacuous : {"check.replaced_fine", "check.attention_fine", "check.unseen_fine"})
        EXPECT_EQ(find(found, vacuous), nullptr) << vacuous << " would compare the config with itself";
    EXPECT_EQ(objections(found), 3);

    Scene told = with_model(Scene(), *read_config_text(yarn))->scene;
    told.trained.length = 65536;
    EXPECT_EQ(find(*check_settings(told), "check.assumed"), nullptr) << "a length that somebody set is known";
}

TEST(Check, AnAttentionFactorOfItsSizeMendsTheLogits) {
    Scene scaled = llama(R"({"kind": "rope", "rope_scaling": {"rope_type": "yarn", "factor": 16.0,
        "attn_factor": 1.5, "original_max_position_embeddings": 8192}, "max_position_embeddings": 131072})",
                         131072);
    const std::string mend = value(*check_settings(scaled), "check.attention", "mend");
    scaled.encoding.parameters["rope_scaling"]["attention_factor"] = std::stod(mend);
    EXPECT_NE(find(*check_settings(scaled), "check.attention_fine"), nullptr) << "with " << mend;
}

TEST(Check, WhatReadingAConfigCameUponIsSaid) {
    const auto found = check_of(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "max_position_embeddings": 32768, "rope_theta": 500000.0, "rope_scaling": {"type": "linear",
        "rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 8192, "betafast": 2}})");
    EXPECT_EQ(value(found, "config.ignored", "key"), "betafast");
    EXPECT_EQ(value(found, "config.overruled", "loses"), "type = \"linear\"");
    EXPECT_EQ(find(found, "check.ignored_fine"), nullptr) << "two settings were ignored";

    const auto bases = check_of(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "max_position_embeddings": 8192, "rope_theta": 500000.0,
        "rope_parameters": {"rope_type": "yarn", "factor": 4, "rope_theta": 10000}})");
    EXPECT_EQ(value(bases, "config.overruled", "counts"), "rope_parameters.rope_theta = 10000");
    EXPECT_EQ(value(bases, "config.overruled", "loses"), "rope_theta = 500000.0");

    const auto qwen = check_of(R"({"model_type": "qwen2_vl", "hidden_size": 3584, "num_attention_heads": 28,
        "max_position_embeddings": 32768, "rope_theta": 1000000.0,
        "rope_scaling": {"type": "mrope", "rope_type": "default", "mrope_section": [16, 24, 24]}})");
    EXPECT_EQ(find(qwen, "config.overruled"), nullptr) << "mrope and default are one method";
}

// Weights without scaling, run with the YaRN that is recommended for their length: nothing is wrong, and its temperature is
// meant; a factor of one's own still is compared.
TEST(Check, YarnOverUnscaledWeightsIsNoError) {
    const auto yarn = [](std::string_view more) {
        return *check_settings(scene(fmt::format(
            R"({{"encoding": {{"kind": "rope", "rope_scaling": {{"rope_type": "yarn", "factor": 4,
            "original_max_position_embeddings": 4096{}}}}}, "d_model": 128, "length": 16384,
            "trained": {{"length": 4096, "scene": {{"encoding": "rope"}}}}}})",
            more)));
    };
    for (const Finding& one : yarn("")) EXPECT_NE(one.severity, Severity::wrong) << to_string(one.problem);
    EXPECT_EQ(value(yarn(""), "check.temperature", "now"), "1.296");
    EXPECT_NE(find(yarn(""), "check.replaced_yarn"), nullptr);
    EXPECT_EQ(find(yarn(R"(, "attention_factor": 1.5)"), "check.attention")->severity, Severity::wrong);
}

// "Same as now" follows the scaling: that the weights had it is then an assumption, and nothing passes for it.
TEST(Check, SettingsThatFollowTheScalingProveNothing) {
    const auto found =
        *check_settings(scene(R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "linear",
        "factor": 4}}, "d_model": 128, "length": 16384, "trained": {"length": 4096, "scene": {}}})"));
    EXPECT_EQ(find(found, "check.mirrored")->severity, Severity::note);
    for (const char* vacuous : {"check.replaced_fine", "check.attention_fine", "check.assumed"})
        EXPECT_EQ(find(found, vacuous), nullptr) << vacuous;
    EXPECT_EQ(find(*check_settings(scene(R"({"encoding": "rope", "d_model": 128, "length": 4096,
        "trained": {"length": 4096, "scene": {}}})")),
                   "check.mirrored"),
              nullptr)
        << "there is none to follow";
}

std::vector<std::string> notes_of(std::string_view config) {
    std::vector<std::string> said;
    const auto model = read_config_text(config);
    EXPECT_TRUE(model) << config;
    if (model)
        for (const Problem& note : model->notes) said.push_back(to_string(note));
    return said;
}
bool says(const std::vector<std::string>& notes, std::string_view wanted) {
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return note.find(wanted) != std::string::npos; });
}
std::string llama_with(std::string_view more) {
    return fmt::format(R"({{"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
        "max_position_embeddings": 32768, {}}})",
                       more);
}

TEST(Check, TheBaseOfANewConfigIsNotMissing) {
    const auto flat =
        notes_of(llama_with(R"("rope_parameters": {"rope_type": "default", "rope_theta": 500000.0})"));
    EXPECT_FALSE(says(flat, "rope_theta"));
    EXPECT_TRUE(says(notes_of(llama_with(R"("hidden_act": "silu")")), "rope_theta"));
    const auto nested =
        notes_of(R"({"model_type": "gemma3_text", "hidden_size": 2560, "num_attention_heads": 8,
        "head_dim": 256, "max_position_embeddings": 131072, "sliding_window": 1024,
        "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
                            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}})");
    EXPECT_FALSE(says(nested, "key=rope_theta"));
}

TEST(Check, WhatAScalingLacksIsSaid) {
    const auto yarn = notes_of(llama_with(R"("rope_theta": 1e6, "rope_scaling": {"rope_type": "yarn"})"));
    EXPECT_TRUE(says(yarn, "config.scaling_assumed (key=original_max_position_embeddings, "
                           "value=max_position_embeddings = 32768)"));
    EXPECT_TRUE(says(yarn, "key=factor"));
    const auto llama3 =
        notes_of(llama_with(R"("rope_theta": 5e5, "rope_scaling": {"rope_type": "llama3", "factor": 8})"));
    for (const char* key : {"low_freq_factor", "high_freq_factor", "original_max_position_embeddings"})
        EXPECT_TRUE(says(llama3, fmt::format("key={}", key))) << key;
    EXPECT_FALSE(says(llama3, "key=factor"));
    EXPECT_FALSE(
        says(notes_of(llama_with(R"("rope_theta": 5e5, "rope_scaling": {"rope_type": "llama3", "factor": 8,
        "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192})")),
             "scaling_assumed"));
    EXPECT_TRUE(
        says(notes_of(llama_with(R"("rope_theta": 1e4, "rope_scaling": {"type": "ntk", "factor": 4})")),
             "config.scaling_name (name=ntk, key=factor)"));
    EXPECT_TRUE(says(notes_of(R"({"hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1e4,
        "max_position_embeddings": 4096})"),
                     "config.no_type"));
}

// Qwen documents YaRN as a setting for longer texts: its weights are taken as trained without.
TEST(Check, YarnInAQwenConfigIsNotTrained) {
    const auto read = [](std::string_view type) {
        return with_model(Scene(),
                          *read_config_text(fmt::format(
                              R"({{"model_type": "{}", "hidden_size": 3584, "num_attention_heads": 28,
        "max_position_embeddings": 32768, "rope_theta": 1000000.0, "rope_scaling": {{"type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 32768}}}})",
                              type)))
            ->scene;
    };
    const Scene qwen = read("qwen2"), llama = read("llama");
    EXPECT_EQ(qwen.trained.length, 32768);
    EXPECT_FALSE(qwen.trained.scene.at("encoding").contains("rope_scaling"));
    EXPECT_TRUE(llama.trained.scene.at("encoding").contains("rope_scaling"));
    EXPECT_NE(find(*check_settings(qwen), "check.assumed_unscaled"), nullptr);
    EXPECT_NE(find(*check_settings(qwen), "check.temperature"), nullptr);
    const auto said = check_settings(qwen);
    ASSERT_TRUE(said);
    for (const Finding& one : *said)
        EXPECT_NE(one.severity, Severity::wrong) << "as its model card says: " << to_string(one.problem);
}

TEST(Check, TheTrainedLengthNamesItsKey) {
    const auto chunks = check_of(R"({"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28,
        "max_position_embeddings": 1010000, "rope_theta": 10000000.0, "dual_chunk_attention_config":
        {"chunk_size": 262144, "local_size": 8192, "original_max_position_embeddings": 262144}})");
    EXPECT_EQ(value(chunks, "check.assumed", "length"), "262144");
    EXPECT_EQ(value(chunks, "check.assumed", "source"),
              "dual_chunk_attention_config.original_max_position_embeddings");
}

TEST(Check, WhatChangesNothingIsNamed) {
    const auto found = *check_settings(scene(
        R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "linear", "factor": 1}}, "d_model": 128})"));
    EXPECT_EQ(objections(found), 1);
    EXPECT_EQ(found.front().subject, "ignored");
    EXPECT_EQ(found.front().problem.key, "scaling.no_effect");
    EXPECT_EQ(check_settings(scene(R"({"encoding": "alibi"})")).error().key, "encoding.no_spectrum");
}

}  // namespace
}  // namespace posiscope::check_test
