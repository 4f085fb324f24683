// Code export: refusals, config objects and flags. tests/code_test.py runs the programs.
#include "core/code/code.hpp"
#include "tests/core/scenes.hpp"

#include <gtest/gtest.h>

namespace posiscope::code_test {
namespace {

std::string code(std::string_view form, std::string_view partial) {
    const auto text = find_code_form(form)->write(scene(partial));
    return text ? *text : "refused: " + to_string(text.error());
}

TEST(Code, RopeParametersAreReadBackAsTheSameScaling) {
    constexpr std::string_view scaled[] = {
        R"({"rope_type": "llama3", "factor": 8})",
        R"({"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 8192, "beta_fast": 20})",
        R"({"rope_type": "linear", "factor": 2.5})",
        R"({"rope_type": "dynamic", "factor": 2})",
    };
    for (const std::string_view scaling : scaled) {
        SCOPED_TRACE(scaling);
        Scene s = scene(R"({"d_model": 128, "base": 500000})");
        s = overlay(s, Json{{"encoding",
                             {{"kind", "rope"},
                              {"max_position_embeddings", 4096},
                              {"rope_scaling", *parse_json(scaling)}}}})
                ->scene;
        const auto text = find_code_form("rope_parameters")->write(s);
        ASSERT_TRUE(text) << to_string(text.error());
        const Json dictionary = parse_json(*text)->at("rope_parameters");
        EXPECT_EQ(dictionary.at("rope_theta"), 500000.0);
        const Scene read = overlay(scene(R"({"d_model": 128})"), Json{{"encoding",
                                                                       {{"kind", "rope"},
                                                                        {"max_position_embeddings", 4096},
                                                                        {"rope_parameters", dictionary}}}})
                               ->scene;
        EXPECT_EQ(*spectrum_of(read), *spectrum_of(s));
    }
}

TEST(Code, LlamaCppFlagsOfYarn) {
    EXPECT_EQ(code("llama_cpp", R"({"length": 4096, "encoding": {"kind": "rope", "rope_scaling":
                   {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 1024}}})"),
              "-c 4096 --rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 1024 --rope-freq-base 10000\n");
}

TEST(Code, VllmFlagsAreTheObjectOfAConfig) {
    EXPECT_EQ(
        code("vllm", R"({"length": 131072, "base": 1e6, "encoding": {"kind": "rope", "rope_scaling":
                   {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 32768}}})"),
        "--max-model-len 131072 --hf-overrides '{\"rope_parameters\":{\"factor\":4.0,"
        "\"original_max_position_embeddings\":32768,\"rope_theta\":1000000.0,\"rope_type\":\"yarn\"}}'\n");
}

// A bias has one row per word, as in `data`; a table has its length, whatever is written into the rows.
TEST(Code, ABiasIsAsLongAsTheWords) {
    constexpr std::string_view words = R"("content": {"kind": "tokens", "text": ["dog", "bites", "man"]})";
    for (const std::string_view form : {"numpy", "jax", "pytorch", "cpp"}) {
        for (const std::string_view bias :
             {R"("alibi")", R"({"kind": "kerple", "variant": "log", "bias_a": 0.5, "bias_p": 1.5})"})
            EXPECT_NE(code(form, fmt::format(R"({{"encoding": {}, {}}})", bias, words))
                          .find(form == "cpp" ? "length = 3" : "d_model = 3,"),
                      std::string::npos)
                << form << " " << bias;
        EXPECT_NE(
            code(form, fmt::format("{{{}}}", words)).find(form == "cpp" ? "length = 128" : "d_model = 128,"),
            std::string::npos)
            << form;
    }
}

TEST(Code, StaticNtkIsAnotherBaseAndNothingElse) {
    const std::string flags =
        code("llama_cpp", R"({"d_model": 128, "encoding": {"kind": "rope", "rope_scaling":
                                                   {"rope_type": "ntk", "alpha": 8}}})");
    const double base = std::stod(flags.substr(flags.rfind(' ') + 1));
    const Spectrum ntk = spectrum(R"({"d_model": 128, "encoding": {"kind": "rope", "rope_scaling":
                                     {"rope_type": "ntk", "alpha": 8}}})");
    const Spectrum plain =
        *spectrum_of(overlay(scene(R"({"d_model": 128, "encoding": "rope"})"), Json{{"base", base}})->scene);
    for (std::size_t i = 0; i < ntk.pairs(); ++i)
        EXPECT_NEAR(plain.frequency[i] / ntk.frequency[i], 1.0, 1e-13) << "pair " << i;
}

TEST(Code, EveryKindWithFormulasIsWrittenInEveryLanguage) {
    for (const char* kind : {"sinusoidal", "rope", "alibi", "t5", "xpos", "sandwich", "none", "kerple"})
        for (const char* form : {"numpy", "jax", "pytorch", "cpp", "latex"}) {
            const std::string text = code(form, fmt::format(R"({{"encoding": "{}"}})", kind));
            EXPECT_GT(text.size(), 3U) << kind << " " << form;
            EXPECT_EQ(text.find("code."), std::string::npos) << text;
            EXPECT_EQ(text.find("own."), std::string::npos) << text;
        }
}

TEST(Code, WhatIsNoFormulaIsRefused) {
    for (const auto& [form, partial, key] : std::initializer_list<std::array<std::string_view, 3>>{
             {"cpp", R"({"encoding": "learned"})", "own.not_table"},
             {"numpy", R"({"encoding": "fire"})", "own.not_network"},
             {"flex_attention", R"({"encoding": "shaw"})", "own.not_table"},
             {"numpy", R"({"encoding": {"kind": "rope", "rope_scaling": {"mrope_section": [16, 24, 24]},
                           "grid": [1, 4, 4]}, "d_model": 128})",
              "code.on_grid"},
             {"cpp", R"({"encoding": {"kind": "rope", "no_rope_layers": [1, 0], "layer": 1}})",
              "code.nope_layer"},
             {"rope_parameters", R"({"encoding": {"kind": "rope", "dual_chunk_attention_config":
                                     {"chunk_size": 64, "local_size": 8}}})",
              "code.dual_chunks"},
             {"llama_cpp", R"({"encoding": "alibi"})", "code.not_rope"},
             {"vllm", R"({"encoding": "alibi"})", "code.not_rope"},
             {"llama_cpp", R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "llama3"}}})",
              "code.not_in_llama_cpp"},
             {"rope_parameters", R"({"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "ntk"}}})",
              "code.not_in_configs"},
         })
        EXPECT_NE(code(form, partial).find(key), std::string::npos)
            << form << " " << partial << ": " << code(form, partial);
}

}  // namespace
}  // namespace posiscope::code_test
