// The built program given a model: what its config sets, notes and settings without an effect, the list.
#include "core/json.hpp"
#include "tests/app/program.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace posiscope::models_command_test {
namespace {

using test::lines_of, test::Program, test::Ran;

TEST_F(Program, AModelIsLaidFirst) {
    const Ran llama = run("data frequencies --model meta-llama/Meta-Llama-3.1-8B");
    ASSERT_EQ(llama.code, 0) << llama.err;
    const auto scaled = parse_json(llama.out)->at("inv_freq");
    const auto plain =
        parse_json(run("data frequencies --set encoding=rope --set d_model=128 --set base=500000").out)
            ->at("inv_freq");
    ASSERT_EQ(scaled.size(), 64U);
    int kept = 0, blended = 0, divided = 0;
    for (std::size_t i = 0; i < 64; ++i) {
        const double ratio = plain[i].get<double>() / scaled[i].get<double>();
        ++(std::abs(ratio - 1.0) < 1e-12 ? kept : std::abs(ratio - 8.0) < 1e-12 ? divided : blended);
    }
    EXPECT_EQ(kept, 29);
    EXPECT_EQ(blended, 6);
    EXPECT_EQ(divided, 29);
    EXPECT_EQ(llama.err.find("d_model 4096 is"), std::string::npos) << "RoPE turns heads: " << llama.err;
    EXPECT_EQ(llama.err.find("unverified"), std::string::npos) << llama.err;

    const std::string flags = run("code llama_cpp --model meta-llama/Llama-2-7b-hf").out;
    EXPECT_NE(flags.find("-c 4096"), std::string::npos) << "a model brings its length: " << flags;
    EXPECT_NE(run("code llama_cpp --model meta-llama/Llama-2-7b-hf --set length=512").out.find("-c 512"),
              std::string::npos);

    put("over.json", R"({"base": 100})");
    const Ran over =
        run("data frequencies --set encoding=rope -s $D/over.json --model meta-llama/Meta-Llama-3.1-8B");
    EXPECT_EQ(parse_json(over.out)->at("inv_freq")[32], 0.1) << "then -s, then --set, wherever they stand";
    EXPECT_EQ(run("--model meta-llama/Meta-Llama-3.1-8B data frequencies").out, llama.out);
}

// Its settings, and the same for transformers, vLLM and llama.cpp, in the config's own keys.
TEST_F(Program, AConfigIsChecked) {
    put("yarn.json",
        R"({"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1000000.0,
        "max_position_embeddings": 32768, "use_sliding_window": false,
        "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}})");
    const Ran yarn = run("check $D/yarn.json");
    EXPECT_EQ(yarn.code, 0) << yarn.err;
    EXPECT_NE(yarn.out.find("vllm serve MODEL --max-model-len 131072 --hf-overrides '{"
                            "\"rope_parameters\":{\"factor\":4.0,\"original_max_position_embeddings\":32768,"
                            "\"rope_theta\":1000000.0,\"rope_type\":\"yarn\"}}'"),
              std::string::npos)
        << yarn.out;
    EXPECT_NE(yarn.out.find("-c 131072 --rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 32768"),
              std::string::npos)
        << yarn.out;
    const auto facts = parse_json(run("check $D/yarn.json --json").out);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->at("verdict"), "right");
    EXPECT_EQ(facts->at("settings").size(), 3U);

    // Each kind of layer by its name.
    put("gemma.json",
        R"({"model_type": "gemma3_text", "hidden_size": 2560, "num_attention_heads": 8, "head_dim": 256,
        "num_hidden_layers": 34, "max_position_embeddings": 131072, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
        "sliding_window": 1024, "rope_scaling": {"factor": 8.0, "rope_type": "linear"}})");
    const Ran gemma = run("check $D/gemma.json --lang en");
    EXPECT_EQ(gemma.code, 0) << gemma.err;
    EXPECT_NE(gemma.out.find("full_attention (5 layers): b = 1000000, linear, 8 heads of 256, 256 rotated\n"),
              std::string::npos)
        << gemma.out;
    EXPECT_NE(
        gemma.out.find(
            "sliding_attention (29 layers): b = 10000, default, 8 heads of 256, 256 rotated, window 1024\n"),
        std::string::npos)
        << gemma.out;

    // Nobody serves a vision tower by these flags.
    put("vision.json",
        R"({"model_type": "dinov3_vit", "hidden_size": 384, "num_attention_heads": 6, "image_size": 224,
        "patch_size": 16, "rope_theta": 100.0})");
    const Ran vision = run("check $D/vision.json");
    EXPECT_EQ(vision.code, 0) << vision.err;
    EXPECT_EQ(vision.out.find("llama"), std::string::npos) << vision.out;

    put("wrong.json",
        R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 10000,
        "max_position_embeddings": 16384, "trained": 1,
        "rope_scaling": {"rope_type": "yarn", "factor": 3, "original_max_position_embeddings": 4096}})");
    const Ran wrong = run("check $D/wrong.json");
    EXPECT_EQ(wrong.code, 4) << wrong.out << wrong.err;

    put("magic.json",
        R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 10000,
        "rope_scaling": {"rope_type": "magic\u001b[31m", "factor": 8}})");
    const Ran magic = run("check $D/magic.json");
    EXPECT_NE(magic.code, 0);
    EXPECT_NE(magic.err.find("rope_scaling.rope_type"), std::string::npos) << magic.err;
    EXPECT_EQ((magic.out + magic.err).find('\x1b'), std::string::npos);
}

TEST_F(Program, AModelsNotesAreSaid) {
    const Ran qwen = run("data frequencies --model Qwen/Qwen2.5-7B-Instruct-1M");
    EXPECT_EQ(qwen.code, 0);
    EXPECT_NE(qwen.err.find("Part of Qwen/Qwen2.5-7B-Instruct-1M is unverified"), std::string::npos)
        << qwen.err;
    put("config.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
        "rope_scaling": {"type": "linear", "factor": 1, "finetuned": true}})");
    const Ran config = run("data frequencies --model $D/config.json");
    EXPECT_EQ(config.code, 0) << config.err;
    EXPECT_NE(config.err.find("config.json: The config does not give rope_theta"), std::string::npos)
        << config.err;
    EXPECT_NE(config.err.find("finetuned"), std::string::npos) << config.err;
    auto lines = lines_of(config.err);
    std::sort(lines.begin(), lines.end());
    EXPECT_EQ(std::adjacent_find(lines.begin(), lines.end()), lines.end()) << "said once: " << config.err;
}

TEST_F(Program, ASettingThatChangesNothingIsSaid) {
    const std::string scaling =
        " --set encoding=rope --set encoding.rope_scaling='{\"rope_type\":\"linear\",\"factor\":1}'";
    const Ran ran = run("data frequencies" + scaling);
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(lines_of(ran.err).size(), 1U) << ran.err;
    EXPECT_NE(ran.err.find("linear"), std::string::npos) << ran.err;
    EXPECT_EQ(parse_json(ran.out)->at("attention_factor"), 1.0);
    const Ran drawn = run("render -o $D/a.png --size 320x200" + scaling);
    if (drawn.code == 3) GTEST_SKIP() << "no OpenGL here";
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_NE(drawn.err.find("linear"), std::string::npos) << drawn.err;
}

TEST_F(Program, ModelsAreListed) {
    const std::string english = run("list models").out, chinese = run("list models --lang zh").out;
    EXPECT_GE(lines_of(english).size(), 79U);
    EXPECT_NE(english.find("meta-llama/Meta-Llama-3.1-8B "), std::string::npos);
    EXPECT_NE(english.find(", unverified\n"), std::string::npos);
    EXPECT_NE(chinese.find(", 未核实\n"), std::string::npos);
}

}  // namespace
}  // namespace posiscope::models_command_test
