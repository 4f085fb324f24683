// Configs as documents: written unchanged they are equal; edited, what the Scene changes is changed and nothing else.
#include "core/models/document.hpp"

#include "core/code/code.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/rope_layers.hpp"
#include "core/models/models.hpp"
#include "core/models/rescale.hpp"
#include "tests/places.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace posiscope::document_test {
namespace {

std::string contents(const std::string& path) {
    std::ifstream file(std::string(test::kTree) + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

Scene opened(std::string_view text) {
    const auto model = read_config_text(text);
    EXPECT_TRUE(model) << to_string(model.error());
    return with_model(Scene(), *model)->scene;
}

Scene with(const Scene& scene, const Json& change) {
    const auto laid = overlay(scene, change);
    EXPECT_TRUE(laid) << to_string(laid.error());
    return laid->scene;
}

std::string code(std::string_view form, const Scene& scene) {
    const auto text = find_code_form(form)->write(scene);
    return text ? *text : "refused: " + to_string(text.error());
}

constexpr std::string_view kOfOurs[] = {"nope\"", "shared_object", "mscale_in_softmax", "rotary_offset"};

// Every reference config and built-in model: its text comes back; scaled by YaRN it reads back as the Scene, or is refused.
TEST(Document, UnchangedItIsEqualAndScaledItReadsBack) {
    std::vector<std::string> texts;
    const Json references = Json::parse(contents("/tests/reference/families.json")),
               built_in = Json::parse(contents("/assets/models.json"));
    for (const Json& one : references.at("cases")) texts.push_back(one.at("inputs").at("config").dump(1));
    for (const Json& row : built_in.at("models")) texts.push_back(row.at("config").dump());
    int scaled = 0, refused = 0;
    for (const std::string& text : texts) {
        SCOPED_TRACE(text.substr(0, 300));
        const auto model = read_config_text(text);
        if (!model) continue;
        const Scene scene = with_model(Scene(), *model)->scene;
        const auto written = edited_document(scene);
        ASSERT_TRUE(written) << to_string(written.error());
        EXPECT_EQ(*written, text);
        if (!takes_scalings(scene) || scaling_method(scene) == "yarn" || scene.length > 1'000'000) continue;
        Scene longer = scene;
        longer.length *= 4;
        const auto laid = overlay(longer, {{"encoding", rescaled_encoding(longer, "yarn")}});
        if (!laid) continue;
        const auto edited = edited_document(laid->scene);
        if (!edited) {
            EXPECT_EQ(edited.error().key, "document.no_place");
            ++refused;
            continue;
        }
        ++scaled;
        Scene read = opened(*edited);
        read.length = laid->scene.length;
        const auto now = spectrum_of(read), meant = spectrum_of(laid->scene);
        EXPECT_EQ(now.has_value(), meant.has_value());
        EXPECT_TRUE(!now || *now == *meant);
        for (const std::string_view own : kOfOurs) EXPECT_EQ(edited->find(own), std::string::npos) << own;
    }
    EXPECT_GT(scaled, 60);
    EXPECT_LT(refused, scaled / 4);
}

// The config as vLLM has it after --hf-overrides: the older keys were read into rope_parameters, which the given one replaces;
// an object that is a config of its own, such as text_config, is entered.
void override_at_launch(Json& config, const Json& given) {
    for (const char* read :
         {"rope_theta", "rotary_emb_base", "rotary_embedding_base", "global_rope_theta", "local_rope_theta",
          "rope_local_base_freq", "rope_scaling", "partial_rotary_factor", "rotary_pct", "rotary_percent",
          "original_max_position_embeddings"})
        if (given.contains("rope_parameters")) config.erase(read);
    for (const auto& [key, value] : given.items())
        if (key.ends_with("_config") && config.contains(key) && config[key].is_object())
            override_at_launch(config[key], value);
        else config[key] = value;
}

// Every reference config and built-in model, as it is and scaled by YaRN: run with the printed flags it rotates as the Scene.
TEST(Document, FlagsOfALaunchAreWhole) {
    std::vector<Json> configs;
    const Json references = Json::parse(contents("/tests/reference/families.json")),
               built_in = Json::parse(contents("/assets/models.json"));
    for (const Json& one : references.at("cases")) configs.push_back(one.at("inputs").at("config"));
    for (const Json& row : built_in.at("models")) configs.push_back(row.at("config"));
    int tried = 0, scaled = 0;
    for (const Json& config : configs) {
        // Zamba2's code changes the base that it read, where this key is set.
        if (!read_config(config) || config.contains("use_long_context")) continue;
        Scene scene = opened(config.dump());
        if (!takes_scalings(scene) || scene.length > 1'000'000) continue;
        for (const bool longer : {false, true}) {
            if (longer) {
                scene.length *= 4;
                const auto laid = overlay(scene, {{"encoding", rescaled_encoding(scene, "yarn")}});
                if (scaling_method(scene) == "yarn" || !laid || !rotary_part(laid->scene)) continue;
                scene = laid->scene;
                ++scaled;
            }
            SCOPED_TRACE(config.dump().substr(0, 300));
            const std::string flags = code("vllm", scene);
            if (flags.starts_with("refused")) continue;
            const std::size_t from = flags.find('{'), to = flags.rfind('}');
            Json launched = config;
            override_at_launch(launched, Json::parse(flags.substr(from, to + 1 - from)));
            Scene read = opened(launched.dump());
            read.length = scene.length;
            const RopeLayers meant = rope_layers(scene), now = rope_layers(read);
            ASSERT_EQ(now.kinds.size(), meant.kinds.size()) << flags;
            for (std::size_t kind = 0; kind < std::max<std::size_t>(meant.kinds.size(), 1); ++kind) {
                const auto spectrum = [&](const Scene& of, const RopeLayers& layers) {
                    return spectrum_of(
                        layers.kinds.empty() ? of : with(of, {{"encoding", with_kind(of, layers, kind)}}));
                };
                const auto a = spectrum(scene, meant), b = spectrum(read, now);
                ASSERT_EQ(a.has_value(), b.has_value()) << flags;
                EXPECT_TRUE(!a || *a == *b) << flags;
            }
            ++tried;
        }
    }
    EXPECT_GT(tried, 150);
    EXPECT_GT(scaled, 60);
}

// Nesting, order and unknown keys stay; M-RoPE's keys come along where programs decide by them.
TEST(Document, OnlyTheChangeIsChanged) {
    constexpr std::string_view text = R"({
  "zebra": 1,
  "model_type": "qwen3_vl",
  "text_config": {
    "model_type": "qwen3_vl_text", "hidden_size": 2048, "num_attention_heads": 16, "head_dim": 128,
    "max_position_embeddings": 262144,
    "rope_scaling": {"mrope_interleaved": true, "mrope_section": [24, 20, 20], "rope_type": "default"},
    "rope_theta": 5000000, "another": {"b": 1, "a": 2}
  },
  "vision_config": {"depth": 27}
})";
    const Scene scene = opened(text);
    EXPECT_EQ(code("config", scene), text);
    Scene longer = scene;
    longer.length = 1048576;
    longer = with(longer, {{"encoding", rescaled_encoding(longer, "yarn")}});
    const Document was = Document::parse(text), now = Document::parse(code("config", longer));
    Document expected = was;
    Document& object = expected["text_config"]["rope_scaling"];
    object["rope_type"] = "yarn";
    object["factor"] = 4.0;
    object["original_max_position_embeddings"] = 262144;
    EXPECT_EQ(now, expected) << now.dump(1);
    EXPECT_EQ(now.begin().key(), "zebra");
    const std::string vllm = code("vllm", longer);
    EXPECT_NE(vllm.find("--max-model-len 1048576"), std::string::npos) << vllm;
    for (const char* key : {R"({"text_config":{)", R"("mrope_section":[24,20,20])",
                            R"("mrope_interleaved":true)", R"("factor":4.0)", R"("rope_theta":5000000)"})
        EXPECT_NE(vllm.find(key), std::string::npos) << key << ": " << vllm;
    EXPECT_EQ(vllm.find("another"), std::string::npos);
}

// A partial rotation, a factor on queries, a base under another name: all are said.
TEST(Document, NoKeyIsLost) {
    const std::string minimax =
        code("rope_parameters", opened(R"({"model_type": "minimax_m2", "hidden_size": 2048,
        "num_attention_heads": 16, "head_dim": 128, "max_position_embeddings": 196608, "rope_theta": 5000000,
        "rotary_dim": 64})"));
    EXPECT_NE(minimax.find("\"rotary_dim\": 64"), std::string::npos) << minimax;
    const std::string mistral =
        code("rope_parameters", opened(R"({"model_type": "mistral4", "hidden_size": 4096,
        "num_attention_heads": 32, "qk_rope_head_dim": 64, "qk_nope_head_dim": 64, "max_position_embeddings": 1048576,
        "rope_parameters": {"rope_type": "yarn", "factor": 128.0, "original_max_position_embeddings": 8192,
        "llama_4_scaling_beta": 0.1, "mscale": 1.0, "mscale_all_dim": 1.0, "rope_theta": 10000.0}})"));
    for (const char* key : {"llama_4_scaling_beta", "mscale_all_dim", "original_max_position_embeddings"})
        EXPECT_NE(mistral.find(key), std::string::npos) << mistral;
    const Scene neox =
        opened(R"({"model_type": "gpt_neox", "hidden_size": 64, "num_attention_heads": 4, "rotary_pct": 0.25,
        "rotary_emb_base": 10000, "max_position_embeddings": 2048})");
    const std::string edited = code("config", with(neox, {{"base", 500000}}));
    EXPECT_NE(edited.find("\"rotary_emb_base\": 500000.0"), std::string::npos) << edited;
    EXPECT_EQ(edited.find("rope_theta"), std::string::npos) << edited;
    // Without a document the keys of its kind are written, none of our own.
    const Scene made = with(Scene(), {{"d_model", 128},
                                      {"encoding",
                                       {{"kind", "rope"},
                                        {"rotary_dim", 64},
                                        {"rope_scaling",
                                         {{"rope_type", "yarn"},
                                          {"factor", 4},
                                          {"original_max_position_embeddings", 4096},
                                          {"mscale_all_dim", 1.0},
                                          {"mscale_in_softmax", false},
                                          {"llama_4_scaling_beta", 0.1}}}}}});
    const Json keys = Json::parse(code("rope_parameters", made)).at("rope_parameters");
    EXPECT_EQ(keys.at("partial_rotary_factor"), 0.5);
    EXPECT_EQ(keys.at("llama_4_scaling_beta"), 0.1);
    EXPECT_FALSE(keys.contains("mscale_in_softmax"));
}

// Python writes numbers that JSON does not have; families have names of their own.
TEST(Document, OddNumbersAndOwnNamesStay) {
    constexpr std::string_view text = R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4,
        "rope_theta": 10000.0, "time_step_limit": [0.0, Infinity, -Infinity, NaN], "note": "Infinity \"NaN\""})";
    const Scene scene = opened(text);
    EXPECT_EQ(code("config", scene), text);
    const std::string edited = code("config", with(scene, {{"base", 500000}}));
    EXPECT_NE(edited.find("    Infinity,\n    -Infinity,\n    NaN\n"), std::string::npos) << edited;
    EXPECT_NE(edited.find(R"("Infinity \"NaN\"")"), std::string::npos) << edited;
    const auto keys = [](std::string_view config) {
        return Json::parse(code("rope_parameters", opened(config)));
    };
    EXPECT_EQ(keys(R"({"model_type": "phi3small", "hidden_size": 4096, "num_attention_heads": 32,
        "rope_embedding_base": 1000000})"),
              (Json{{"rope_embedding_base", 1000000}}));
    EXPECT_EQ(keys(R"({"model_type": "dbrx", "d_model": 6144, "n_heads": 48,
        "attn_config": {"kv_n_heads": 8, "rope_theta": 500000}})"),
              (Json{{"attn_config", {{"rope_theta", 500000}}}}));
    const Json gemma =
        keys(R"({"model_type": "gemma4_text", "hidden_size": 2816, "num_attention_heads": 16, "head_dim": 256,
        "global_head_dim": 512, "rope_parameters": {"full_attention": {"rope_type": "proportional",
        "partial_rotary_factor": 0.25, "rope_theta": 1e6}, "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}})");
    EXPECT_FALSE(gemma.at("rope_parameters").at("full_attention").contains("head_dim")) << gemma;
    // The keys of params.json are those of its own code: others get theirs, and it has no place for another scaling.
    const Scene params = opened(R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "multiple_of": 1024,
        "rope_theta": 500000.0, "use_scaled_rope": true, "max_seq_len": 131072})");
    EXPECT_EQ(Json::parse(code("rope_parameters", params)).at("rope_parameters").at("rope_type"), "llama3");
    EXPECT_EQ(code("config", with(params, {{"encoding", rescaled_encoding(params, "yarn")}})),
              "refused: document.no_place");
}

// A quantized model's config has thousands of names: its settings keep their place, but the whole text is not there to edit.
TEST(Document, OfALongConfigTheSettingsKeepTheirPlace) {
    Json config = Json::parse(
        R"j({"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text", "hidden_size": 64,
        "num_attention_heads": 4, "max_position_embeddings": 4096, "rope_theta": 5e6}})j");
    config["quantization_config"]["ignore"] = Json(4000, "model.layers.0.mlp");
    const Scene scene = opened(config.dump());
    EXPECT_EQ(Json::parse(code("rope_parameters", with(scene, {{"base", 1e6}}))),
              Json::parse(R"({"text_config": {"rope_theta": 1e6}})"));
    EXPECT_EQ(edited_document(scene).error().key, "document.none");
}

TEST(Document, WithoutOneItIsRefused) {
    EXPECT_EQ(code("config", Scene()), "refused: document.none");
    const Scene llama = opened(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4})");
    EXPECT_EQ(code("config", with(llama, {{"encoding", "alibi"}})), "refused: document.other (kind=alibi)");
}

}  // namespace
}  // namespace posiscope::document_test
