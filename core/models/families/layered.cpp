// layered.cpp — families whose layers are of several kinds: bases, windows, layers without rotation.
#include "core/models/families/tables.hpp"

namespace posiscope::family_rows {
namespace {

using Form = LayerRule::Form;

constexpr std::string_view kSliding =
    R"({"full_attention": {"scaling": true}, "sliding_attention": {"scaling": true, "sliding_window": "$sliding_window"}})";
constexpr std::string_view kTwoBases =
    R"({"full_attention": {"scaling": true, "rope_theta": "$rope_theta"},
        "sliding_attention": {"rope_theta": "$rope_local_base_freq", "sliding_window": "$sliding_window"}})";
constexpr std::string_view kNopeInFull =
    R"({"sliding_attention": {"scaling": true, "sliding_window": "$sliding_window"}, "full_attention": {"nope": true}})";
constexpr std::string_view kLinear =
    R"({"full_attention": {"scaling": true}, "linear_attention": {"nope": true}})";
constexpr std::string_view kCompressed =
    R"({"sliding_attention": {"rope_theta": "$rope_theta", "sliding_window": "$sliding_window"},
        "compressed_sparse_attention": {"scaling": true, "rope_theta": "$compress_rope_theta"},
        "heavily_compressed_attention": {"scaling": true, "rope_theta": "$compress_rope_theta"}})";

constexpr std::string_view kChunked =
    R"({"chunked_attention": {"scaling": true, "attention_chunk_size": "$attention_chunk_size"},
        "full_attention": {"nope": true}})";

constexpr std::string_view kZamba = R"({"hybrid": {"scaling": true}, "mamba": {"nope": true}})";
constexpr LayerRule kZambaLayers = {Form::listed,
                                    "layers_block_type",
                                    0,
                                    "hybrid",
                                    {},
                                    R"({"hybrid": "hybrid", "mamba": "mamba", "linear_attention": "mamba"})"};

constexpr LayerRule every(const char* key, std::int64_t n) {
    return {Form::last, key, n, "sliding_attention", "full_attention", {}};
}

constexpr std::string_view kLlama4Params =
    R"({"rope_theta": 500000.0, "rope_scaling_factor": 16.0, "rope_high_freq_factor": 1.0})";
constexpr std::string_view kGemma3 =
    R"({"rope_theta": 1000000.0, "rope_local_base_freq": 10000.0, "num_attention_heads": 8, "head_dim": 256,
        "hidden_size": 2304, "num_hidden_layers": 26, "max_position_embeddings": 131072, "sliding_window": 4096})";

constexpr ModelFamily kLayered[] = {
    {.type = "qwen2",
     .defaults = R"({"rope_theta": 10000.0, "use_sliding_window": false})",
     .kinds = kSliding,
     .layers = {Form::from, "max_window_layers", 28, "full_attention", "sliding_attention", {}},
     .source = "qwen2/configuration_qwen2.py; vLLM dual_chunk_rope.py; SGLang "
               "dual_chunk_flashattention_backend.py"},
    {.type = "smollm3",
     .defaults = R"({"rope_theta": 2000000.0, "num_hidden_layers": 36, "max_position_embeddings": 32768,
                     "hidden_size": 2048, "num_attention_heads": 16, "use_sliding_window": false})",
     .kinds = R"({"rope_attention": {"scaling": true}, "nope_attention": {"nope": true}})",
     .layers = {Form::rope, "no_rope_layers", 4, "rope_attention", "nope_attention", {}},
     .source = "smollm3/configuration_smollm3.py at 008e574"},
    {.type = "gemma2", .kinds = kSliding, .layers = every("", 2), .source = "gemma2/configuration_gemma2.py"},
    {.type = "gemma3 gemma3_text",
     .defaults = kGemma3,
     .kinds = kTwoBases,
     .layers = every("sliding_window_pattern", 6),
     .qk_norm = true,
     .source = "gemma3/configuration_gemma3.py"},
    {.type = "gemma3n_text gemma3n",
     .kinds = kTwoBases,
     .layers = every("", 5),
     .qk_norm = true,
     .source = "gemma3n/configuration_gemma3n.py"},
    {.type = "gemma4 gemma4_text",
     .kinds =
         R"({"full_attention": {"scaling": true, "rope_theta": "$rope_theta", "head_dim": "$global_head_dim",
                                "key_heads": "$num_global_key_value_heads"},
             "sliding_attention": {"rope_theta": "$rope_local_base_freq", "sliding_window": "$sliding_window"}})",
     .qk_norm = true,
     .source = "gemma4/configuration_gemma4.py"},
    {.type = "gpt_oss",
     .kinds = kSliding,
     .layers = every("", 2),
     .source = "gpt_oss/configuration_gpt_oss.py"},
    {.type = "olmo3",
     .kinds =
         R"({"full_attention": {"scaling": true}, "sliding_attention": {"sliding_window": "$sliding_window"}})",
     .layers = every("", 4),
     .qk_norm = true,
     .note = "olmo3",
     .source = "olmo3/modular_olmo3.py (rotary_embs)"},
    {.type = "afmoe",
     .defaults = R"({"rope_theta": 10000.0, "head_dim": 128})",
     .kinds = kNopeInFull,
     .layers = every("global_attn_every_n_layers", 4),
     .qk_norm = true,
     .source = "afmoe/modular_afmoe.py"},
    {.type = "cohere2",
     .layout = "interleaved",
     .defaults = R"({"sliding_window": 4096})",
     .kinds = kNopeInFull,
     .layers = every("sliding_window_pattern", 4),
     .source = "cohere2/configuration_cohere2.py"},
    {.type = "exaone4",
     .when = R"({"sliding_window": null})",
     .qk_norm = true,
     .source = "exaone4/modular_exaone4.py"},
    {.type = "exaone4",
     .defaults = R"({"sliding_window": 4096})",
     .kinds = kNopeInFull,
     .layers = every("sliding_window_pattern", 4),
     .qk_norm = true,
     .source = "exaone4/configuration_exaone4.py"},
    {.type = "llama4_text llama4",
     .layout = "interleaved",
     .defaults = R"({"rope_theta": 500000.0, "num_hidden_layers": 48, "attention_chunk_size": 8192,
                     "attn_temperature_tuning": true, "max_position_embeddings": 131072})",
     .kinds = kChunked,
     .layers = {Form::rope, "no_rope_layers", 4, "chunked_attention", "full_attention", {}},
     .source = "llama4/configuration_llama4.py"},
    {.type = "meta_params_llama4",  // params.json of Meta's own weights
     .when = R"({"use_scaled_rope": true})",
     .layout = "interleaved",
     .defaults = kLlama4Params,
     .kinds = kChunked,
     .layers = {Form::last, "nope_layer_interval", 0, "chunked_attention", "full_attention", {}},
     .gathered = R"({"rope_type": "llama3", "factor": "$rope_scaling_factor", "low_freq_factor": 1.0,
                     "high_freq_factor": "$rope_high_freq_factor", "original_max_position_embeddings": 8192})",
     .source = "meta-llama/llama-models models/llama4/args.py at 00bb6d6, models/llama4/model.py at 408c577"},
    {.type = "meta_params_llama4",
     .layout = "interleaved",
     .defaults = kLlama4Params,
     .kinds = kChunked,
     .layers = {Form::last, "nope_layer_interval", 0, "chunked_attention", "full_attention", {}},
     .gathered = "{}",
     .source = "meta-llama/llama-models models/llama4/args.py at 00bb6d6, models/llama4/model.py at 408c577"},
    {.type = "mimo_v2_flash mimo_v2",
     .defaults = R"({"swa_rope_theta": 10000.0})",
     .kinds =
         R"({"full_attention": {"scaling": true, "rope_theta": "$rope_theta"},
             "sliding_attention": {"rope_theta": "$swa_rope_theta", "sliding_window": "$sliding_window",
                                   "head_dim": "$swa_head_dim", "heads": "$swa_num_attention_heads",
                                   "key_heads": "$swa_num_key_value_heads"}})",
     .layers = {Form::listed,
                "hybrid_layer_pattern",
                0,
                "full_attention",
                {},
                R"({"0": "full_attention", "1": "sliding_attention"})"},
     .source = "mimo_v2_flash/configuration_mimo_v2_flash.py"},
    {.type = "modernbert",
     .defaults = R"({"rope_theta": 160000.0, "rope_local_base_freq": 10000.0, "hidden_size": 768,
                     "num_attention_heads": 12, "num_hidden_layers": 22, "max_position_embeddings": 8192})",
     .kinds = R"({"full_attention": {"scaling": true, "rope_theta": "$rope_theta"},
                  "sliding_attention": {"scaling": true, "rope_theta": "$rope_local_base_freq",
                                        "sliding_window": "$sliding_window"}})",
     .layers = {Form::first, "global_attn_every_n_layers", 3, "sliding_attention", "full_attention", {}},
     .source = "modernbert/configuration_modernbert.py"},
    {.type = "qwen3_next",
     .defaults =
         R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.25, "head_dim": 256, "num_hidden_layers": 48})",
     .kinds = kLinear,
     .layers = {Form::last, "full_attention_interval", 4, "linear_attention", "full_attention", {}},
     .qk_norm = true,
     .source = "qwen3_next/configuration_qwen3_next.py"},
    {.type = "qwen3_5_text qwen3_5 qwen3_5_moe_text qwen3_5_moe",
     .defaults = R"({"partial_rotary_factor": 0.25, "head_dim": 256})",
     .kinds = kLinear,
     .layers = {Form::last, "full_attention_interval", 4, "linear_attention", "full_attention", {}},
     .qk_norm = true,
     .source = "qwen3_5/configuration_qwen3_5.py at 008e574"},
    {.type = "step3p5",
     .names = R"({"partial_rotary_factor": "partial_rotary_factors"})",
     .kinds =
         R"({"full_attention": {"scaling": true, "rope_theta": "$rope_theta", "partial_rotary_factor": "$partial_rotary_factor"},
                  "sliding_attention": {"rope_theta": "$rope_theta", "partial_rotary_factor": "$partial_rotary_factor",
                                        "sliding_window": "$sliding_window",
                                        "heads": "$attention_other_setting.num_attention_heads",
                                        "key_heads": "$attention_other_setting.num_attention_groups"}})",
     .source = "Step-3.5 configuration_step3p5.py, in public copies"},
    {.type = "deepseek_v4 deepseek_ref",
     .layout = "interleaved",
     .defaults =
         R"({"rope_theta": 10000.0, "compress_rope_theta": 160000.0, "head_dim": 512, "qk_rope_head_dim": 64,
                     "num_attention_heads": 64, "hidden_size": 4096, "num_hidden_layers": 43, "sliding_window": 128,
                     "max_position_embeddings": 1048576})",
     .kinds = kCompressed,
     .layers =
         {Form::listed,
          "compress_ratios",
          0,
          "sliding_attention",
          {},
          R"({"0": "sliding_attention", "4": "compressed_sparse_attention", "128": "heavily_compressed_attention"})"},
     .scaling = R"({"attention_factor": 1.0})",
     .source = "deepseek_v4/configuration_deepseek_v4.py"},
    {.type = "zamba2",
     .when = R"({"use_mem_rope": true, "use_long_context": true})",
     .names = R"({"head_dim": "attention_head_dim"})",
     .defaults = R"({"rope_theta": 10000.0, "rope_scaling": {"rope_type": "ntk", "alpha": 8.0}})",
     .kinds = kZamba,
     .layers = kZambaLayers,
     .head_times = 2,
     .note = "zamba2",
     .source = "zamba2/configuration_zamba2.py, zamba2/modular_zamba2.py"},
    {.type = "zamba2",
     .when = R"({"use_mem_rope": true})",
     .names = R"({"head_dim": "attention_head_dim"})",
     .defaults = R"({"rope_theta": 10000.0})",
     .kinds = kZamba,
     .layers = kZambaLayers,
     .head_times = 2,
     .note = "zamba2",
     .source = "zamba2/configuration_zamba2.py, zamba2/modular_zamba2.py"},
    {.type = "zamba2",
     .encoding = R"({"kind": "none"})",
     .names = R"({"head_dim": "attention_head_dim"})",
     .head_times = 2,
     .note = "zamba2",
     .source = "zamba2/configuration_zamba2.py, zamba2/modular_zamba2.py"},
};

}  // namespace

std::span<const ModelFamily> layered() { return kLayered; }

}  // namespace posiscope::family_rows
