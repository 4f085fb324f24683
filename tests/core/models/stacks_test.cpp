// What transformers, vLLM and llama.cpp do with a config, by the lines of their sources that stacks.cpp names.
#include "core/code/code.hpp"
#include "core/models/stacks.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace posiscope::stacks_test {
namespace {

const Stack& named(std::string_view name) { return *std::ranges::find(stacks(), name, &Stack::name); }

// "loads missing" for the answer and its first reason.
std::string said(std::string_view stack, const char* config) {
    const auto json = parse_json(config);
    EXPECT_TRUE(json) << config;
    const StackAnswer answer = answer_of(named(stack), *json);
    return std::string(name_of(answer.does)) +
           (answer.why.empty() ? "" : " " + answer.why.front().key.substr(6));
}

struct Asked {
    const char* config;
    const char *transformers, *vllm, *llama_cpp;
};

TEST(Stacks, SayWhatEachDoesWithEachScaling) {
    const Asked list[] = {
        {R"({"model_type": "llama", "rope_theta": 10000})", "loads", "loads", "loads"},
        {R"({"model_type": "llama", "rope_scaling": {"type": "linear", "factor": 4}})", "loads", "loads",
         "loads llama_cpp_written"},
        {R"({"model_type": "llama", "rope_scaling": {"type": "linear"}})", "refuses missing",
         "refuses missing", "ignores llama_cpp_factor"},
        {R"({"model_type": "llama", "rope_scaling": {"type": "dynamic", "factor": 4}})",
         "loads transformers_dynamic", "differs vllm_dynamic", "ignores llama_cpp_unknown"},
        {R"({"model_type": "hunyuan_v1_dense", "rope_scaling": {"type": "dynamic", "alpha": 1000}})",
         "refuses missing", "differs vllm_dynamic", "unread class_unread"},
        {R"({"model_type": "qwen2", "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "yarn",
             "factor": 4, "original_max_position_embeddings": 32768}})",
         "loads transformers_ramp", "loads", "loads llama_cpp_written"},
        {R"({"model_type": "qwen2", "max_position_embeddings": 32768, "rope_scaling": {"rope_type": "yarn", "factor": 4}})",
         "loads transformers_original", "loads", "unread llama_cpp_written"},
        {R"({"model_type": "qwen2", "max_position_embeddings": 8, "rope_scaling": {"rope_type": "yarn", "factor": 4,
             "original_max_position_embeddings": 8, "attn_factor": 2, "truncate": false}})",
         "loads", "differs vllm_unread", "unread llama_cpp_written"},
        {R"({"model_type": "phi3", "original_max_position_embeddings": 4096, "rope_scaling": {"type": "su",
             "short_factor": [1], "long_factor": [2]}})",
         "loads transformers_renames", "differs vllm_longrope", "differs llama_cpp_longrope"},
        {R"({"model_type": "llama", "rope_scaling": {"rope_type": "longrope", "short_factor": [1], "long_factor": [2],
             "original_max_position_embeddings": 4096}})",
         "loads transformers_longrope", "differs vllm_longrope", "unread class_unread"},
        {R"({"model_type": "llama", "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1,
             "high_freq_factor": 4, "original_max_position_embeddings": 8192}})",
         "loads", "loads", "loads llama_cpp_divisors"},
        {R"({"model_type": "llama", "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1,
             "high_freq_factor": 4, "original_max_position_embeddings": 4096}})",
         "loads", "loads", "differs llama_cpp_divisors"},
        {R"({"model_type": "qwen2", "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1,
             "high_freq_factor": 4}})",
         "loads transformers_original_key", "loads", "unread class_unread"},
        {R"({"model_type": "llama", "rope_scaling": {"rope_type": "magic", "factor": 8}})",
         "refuses transformers_unknown", "refuses vllm_unknown", "ignores llama_cpp_unknown"},
        {R"({"model_type": "llama", "rope_scaling": {"rope_type": "linear", "type": "yarn", "factor": 8}})",
         "loads", "refuses vllm_conflict", "loads llama_cpp_written"},
        {R"({"model_type": "qwen2", "dual_chunk_attention_config": {"chunk_size": 8}, "rope_scaling":
             {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 8}})",
         "loads", "ignores vllm_chunks", "loads llama_cpp_written"},
        {R"({"model_type": "qwen2_vl", "rope_scaling": {"type": "mrope", "mrope_section": [1, 2, 3]}})",
         "unread class_unread", "loads", "ignores llama_cpp_unknown"},
        {R"({"model_type": "gemma4_text", "rope_parameters": {"full_attention": {"rope_type": "proportional",
             "rope_theta": 1e6}, "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}})",
         "loads transformers_five", "loads", "unread class_unread"},
        {R"({"model_type": "gemma3_text", "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8},
             "sliding_attention": {"rope_type": "linear", "factor": 8}}})",
         "loads", "loads", "ignores llama_cpp_written"},
        // Whatever is in a file.
        {R"([1, 2])", "loads", "loads", "loads"},
        {R"({"rope_scaling": {"rope_type": 5, "type": null, "factor": "x"}})", "loads", "loads", "loads"},
        {R"({"rope_scaling": {"rope_type": "yarn", "factor": {}, "original_max_position_embeddings": []}})",
         "loads transformers_original", "loads", "loads llama_cpp_written"},
    };
    for (const Asked& one : list) {
        EXPECT_EQ(said("transformers", one.config), one.transformers) << one.config;
        EXPECT_EQ(said("vLLM", one.config), one.vllm) << one.config;
        EXPECT_EQ(said("llama.cpp", one.config), one.llama_cpp) << one.config;
    }
}

TEST(Stacks, NameFilesWithTheirCommitsAndACodeForm) {
    ASSERT_EQ(stacks().size(), 3U);
    for (const Stack& stack : stacks()) {
        EXPECT_NE(find_code_form(stack.code), nullptr) << stack.name;
        EXPECT_NE(stack.read.find(" at "), std::string_view::npos) << stack.name;
    }
}

}  // namespace
}  // namespace posiscope::stacks_test
