#include "core/models/families.hpp"

#include <algorithm>
#include <iterator>

namespace posiscope {
namespace {

using Form = LayerRule::Form;

// Files below src/transformers/models of huggingface/transformers, unless another repository is named.
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

constexpr LayerRule every(const char* key, std::int64_t n) {
    return {Form::last, key, n, "sliding_attention", "full_attention", {}};
}

constexpr std::string_view kGemma3 =
    R"({"rope_theta": 1000000.0, "rope_local_base_freq": 10000.0, "num_attention_heads": 8, "head_dim": 256,
        "hidden_size": 2304, "num_hidden_layers": 26, "max_position_embeddings": 131072, "sliding_window": 4096})";

constexpr ModelFamily kFamilies[] = {
    // ---- RoPE, the same in every layer -------------------------------------------------------------------------
    {.type = "llama", .defaults = R"({"rope_theta": 10000.0})", .source = "llama/modeling_llama.py"},
    {.type = "mistral", .defaults = R"({"rope_theta": 10000.0})", .source = "mistral/modeling_mistral.py"},
    {.type = "mixtral", .source = "mixtral/modeling_mixtral.py"},
    {.type = "qwen2",
     .defaults = R"({"rope_theta": 10000.0, "use_sliding_window": false})",
     .kinds = kSliding,
     .layers = {Form::from, "max_window_layers", 28, "full_attention", "sliding_attention", {}},
     .source = "qwen2/configuration_qwen2.py; vLLM dual_chunk_rope.py; SGLang "
               "dual_chunk_flashattention_backend.py"},
    {.type = "qwen2_moe",
     .defaults = R"({"use_sliding_window": false})",
     .source = "qwen2_moe/modeling_qwen2_moe.py"},
    {.type = "qwen2_vl qwen2_vl_text",
     .defaults = R"({"use_sliding_window": false})",
     .source = "qwen2_vl/modeling_qwen2_vl.py"},
    {.type = "qwen2_5_vl qwen2_5_vl_text",
     .defaults = R"({"use_sliding_window": false})",
     .source = "qwen2_5_vl/modeling_qwen2_5_vl.py"},
    {.type = "qwen2_5_omni_text qwen2_5_omni qwen2_5_omni_thinker",
     .defaults = R"({"rope_theta": 1000000.0, "use_sliding_window": false})",
     .source = "qwen2_5_omni/configuration_qwen2_5_omni.py"},
    {.type = "qwen3",
     .defaults = R"({"use_sliding_window": false})",
     .qk_norm = true,
     .source = "qwen3/modeling_qwen3.py"},
    {.type = "qwen3_moe",
     .defaults = R"({"use_sliding_window": false})",
     .qk_norm = true,
     .source = "qwen3_moe/modeling_qwen3_moe.py"},
    {.type = "qwen3_vl_text qwen3_vl qwen3_vl_moe_text qwen3_vl_moe",
     .qk_norm = true,
     .source = "qwen3_vl/modeling_qwen3_vl.py"},
    {.type = "gemma", .source = "gemma/modeling_gemma.py"},
    {.type = "phi",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.5})",
     .source = "phi/configuration_phi.py"},
    {.type = "phi3", .defaults = R"({"rope_theta": 10000.0})", .source = "phi3/modeling_phi3.py"},
    {.type = "phimoe", .source = "phimoe/modular_phimoe.py"},
    {.type = "phi3small",
     .names = R"({"rope_theta": "rope_embedding_base"})",
     .defaults = R"({"rope_theta": 1000000.0})",
     .source = "Phi-3-small modeling_phi3_small.py, in public copies"},
    {.type = "stablelm",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.25})",
     .source = "stablelm/configuration_stablelm.py"},
    {.type = "stablelm_epoch",
     .names = R"({"partial_rotary_factor": "rope_pct"})",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.25})",
     .source = "StableLM modeling_stablelm_epoch.py, in public ports"},
    {.type = "persimmon",
     .defaults =
         R"({"rope_theta": 25000.0, "partial_rotary_factor": 0.5, "hidden_size": 4096, "num_attention_heads": 64,
                     "max_position_embeddings": 16384})",
     .source = "persimmon/configuration_persimmon.py"},
    {.type = "gpt_neox",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.25})",
     .source = "gpt_neox/modeling_gpt_neox.py"},
    {.type = "falcon", .defaults = R"({"rope_theta": 10000.0})", .source = "falcon/modeling_falcon.py"},
    {.type = "falcon_h1", .source = "falcon_h1/modeling_falcon_h1.py"},
    {.type = "nemotron",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.5})",
     .source = "nemotron/configuration_nemotron.py"},
    {.type = "glm_moe_dsa", .softmax_mscale = true, .source = "glm_moe_dsa/modular_glm_moe_dsa.py"},
    {.type = "minimax", .source = "minimax/modeling_minimax.py"},
    {.type = "internlm3", .source = "InternLM3 modeling_internlm3.py, in public copies"},
    {.type = "esm",
     .when = R"({"position_embedding_type": "rotary"})",
     .defaults = R"({"rope_theta": 10000.0})",
     .source = "esm/modeling_esm.py"},
    {.type = "nomic_bert", .source = "NomicBERT modeling files, in public copies"},
    {.type = "llada", .source = "LLaDA modeling_llada.py, in public copies"},
    {.type = "olmo", .source = "olmo/modeling_olmo.py"},
    {.type = "granite", .source = "granite/modeling_granite.py"},
    {.type = "starcoder2", .source = "starcoder2/modular_starcoder2.py"},
    {.type = "seed_oss", .source = "seed_oss/modular_seed_oss.py"},
    {.type = "mimo",
     .defaults = R"({"use_sliding_window": false})",
     .source = "MiMo modeling_mimo.py (a Qwen2 model), in public copies"},
    {.type = "granitemoe", .source = "granitemoe/modular_granitemoe.py"},
    {.type = "esm yi"},
    {.type = "apertus",
     .defaults = R"({"rope_theta": 12000000.0, "rope_scaling": {"rope_type": "llama3", "factor": 8.0,
                     "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192},
                     "max_position_embeddings": 65536})",
     .qk_norm = true,
     .source = "apertus/configuration_apertus.py"},
    {.type = "olmo2", .qk_norm = true, .source = "olmo2/modeling_olmo2.py"},
    {.type = "minimax_m2", .source = "minimax_m2/modeling_minimax_m2.py"},
    {.type = "glm4_moe", .source = "glm4_moe/modeling_glm4_moe.py"},
    {.type = "telechat3", .source = "vLLM telechat3_scaling_rope.py"},
    {.type = "hunyuan_v1_dense hunyuan_v1_moe hunyuan",
     .defaults = R"({"rope_theta": 10000.0})",
     .source = "hunyuan_v1_dense/modular_hunyuan_v1_dense.py; vLLM dynamic_ntk_alpha_rope.py"},
    {.type = "hunyuan_vl hunyuan_vl_text",
     .defaults = R"({"rope_theta": 10000.0})",
     .source = "vLLM xdrope.py"},
    {.type = "intern_s1_pro intern_s1_pro_text", .source = "vLLM fope.py"},
    {.type = "internlm",
     .names = R"({"rope_theta": "rotary.base"})",
     .defaults = R"({"rope_theta": 10000.0})",
     .source = "InternLM modeling_internlm.py, in public copies"},
    {.type = "internlm2", .source = "InternLM2 modeling_internlm2.py, in public copies"},
    {.type = "baichuan", .when = R"({"hidden_size": 4096})", .defaults = R"({"rope_theta": 10000.0})"},
    {.type = "baichuan",
     .encoding = R"({"kind": "alibi"})",
     .source = "Baichuan2-13B modeling_baichuan.py, in public copies"},
    {.type = "dbrx",
     .names = R"({"rope_theta": "attn_config.rope_theta"})",
     .defaults = R"({"rope_theta": 10000.0})",
     .source = "dbrx/modeling_dbrx.py, in public copies"},
    {.type = "git",
     .when = R"({"architectures": ["Grok1ForCausalLM"]})",
     .gathered = R"({"rope_type": "$rope_type", "factor": "$scaling_factor",
                     "original_max_position_embeddings": "$original_max_position_embeddings",
                     "extrapolation_factor": "$extrapolation_factor", "attn_factor": "$attn_factor",
                     "beta_fast": "$beta_fast", "beta_slow": "$beta_slow"})",
     .source = "SGLang models/grok.py"},
    {.type = "ministral3",
     .defaults = R"({"rope_theta": 1000000.0})",
     .source = "ministral3/modeling_ministral3.py"},
    {.type = "smollm3",
     .defaults = R"({"rope_theta": 2000000.0, "num_hidden_layers": 36, "max_position_embeddings": 32768,
                     "hidden_size": 2048, "num_attention_heads": 16, "use_sliding_window": false})",
     .kinds = R"({"rope_attention": {"scaling": true}, "nope_attention": {"nope": true}})",
     .layers = {Form::rope, "no_rope_layers", 4, "rope_attention", "nope_attention", {}},
     .source = "smollm3/configuration_smollm3.py"},

    // ---- interleaved pairs -------------------------------------------------------------------------------------
    {.type = "gptj",
     .layout = "interleaved",
     .defaults = R"({"rope_theta": 10000.0})",
     .source = "gptj/modeling_gptj.py"},
    {.type = "codegen",
     .layout = "interleaved",
     .defaults = R"({"rope_theta": 10000.0})",
     .source = "codegen/modeling_codegen.py"},
    {.type = "roformer",
     .layout = "interleaved",
     .defaults = R"({"rope_theta": 10000.0})",
     .source = "roformer/modeling_roformer.py"},
    {.type = "cohere", .layout = "interleaved", .source = "cohere/modular_cohere.py"},
    {.type = "glm",
     .layout = "interleaved",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.5})",
     .source = "glm/configuration_glm.py"},
    {.type = "glm4",
     .layout = "interleaved",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.5})",
     .source = "glm4/configuration_glm4.py"},
    {.type = "glm4v_text glm4v",
     .layout = "interleaved",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.5})",
     .source = "glm4v/modular_glm4v.py (rotate_half_llm)"},
    {.type = "chatglm",
     .when = R"({"position_encoding_2d": true})",
     .encoding = "refused",
     .note = "chatglm_2d"},
    {.type = "chatglm",
     .layout = "interleaved",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.5})",
     .source = "ChatGLM2, ChatGLM3, GLM-4 modeling_chatglm.py, in public copies"},
    {.type = "helium", .layout = "interleaved", .source = "helium/modular_helium.py"},
    {.type = "moonshine",
     .layout = "interleaved",
     .names = R"({"num_attention_heads": "decoder_num_attention_heads"})",
     .defaults = R"({"rope_theta": 10000.0, "partial_rotary_factor": 0.9})",
     .source = "moonshine/modular_moonshine.py"},
    {.type = "ernie4_5", .layout = "interleaved", .source = "ernie4_5/modular_ernie4_5.py"},
    {.type = "ernie4_5_moe", .layout = "interleaved", .source = "ernie4_5_moe/modular_ernie4_5_moe.py"},

    // ---- latent attention: a rotated part beside one that is not ------------------------------------------------
    {.type = "deepseek_v2",
     .layout = "interleaved",
     .softmax_mscale = true,
     .source = "deepseek_v2/modular_deepseek_v2.py"},
    {.type = "deepseek_v3",
     .layout = "interleaved",
     .softmax_mscale = true,
     .source = "deepseek_v3/modular_deepseek_v3.py"},
    {.type = "deepseek_v32",
     .layout = "interleaved",
     .softmax_mscale = true,
     .note = "indexer",
     .source = "deepseek_v32/modular_deepseek_v32.py"},
    {.type = "glm4_moe_lite",
     .layout = "interleaved",
     .softmax_mscale = true,
     .source = "glm4_moe_lite/modular_glm4_moe_lite.py"},
    {.type = "youtu", .layout = "interleaved", .softmax_mscale = true, .source = "youtu/modular_youtu.py"},
    {.type = "kimi_k2",
     .layout = "interleaved",
     .softmax_mscale = true,
     .source = "deepseek_v3/modular_deepseek_v3.py, whose architecture MoonshotAI/Kimi-K2 "
               "docs/deploy_guidance.md names"},
    {.type = "kimi_k25", .layout = "interleaved", .softmax_mscale = true},
    {.type = "longcat_flash",
     .layout = "interleaved",
     .softmax_mscale = true,
     .note = "lora_scale",
     .source = "longcat_flash/modular_longcat_flash.py"},
    {.type = "mistral4", .layout = "interleaved", .source = "mistral4/modular_mistral4.py"},
    {.type = "deepseek_v4",
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

    // ---- layers of several kinds -------------------------------------------------------------------------------
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
     .kinds = kTwoBases,
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
     .kinds =
         R"({"chunked_attention": {"scaling": true, "attention_chunk_size": "$attention_chunk_size"}, "full_attention": {"nope": true}})",
     .layers = {Form::rope, "no_rope_layers", 4, "chunked_attention", "full_attention", {}},
     .source = "llama4/configuration_llama4.py"},
    {.type = "mimo_v2_flash mimo_v2",
     .defaults = R"({"swa_rope_theta": 10000.0})",
     .kinds =
         R"({"full_attention": {"scaling": true, "rope_theta": "$rope_theta"},
             "sliding_attention": {"rope_theta": "$swa_rope_theta", "sliding_window": "$sliding_window"}})",
     .layers = {Form::listed,
                "hybrid_layer_pattern",
                0,
                "full_attention",
                {},
                R"({"0": "full_attention", "1": "sliding_attention"})"},
     .source = "MiMo-V2 modeling files, in public ports"},
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
     .defaults = R"({"partial_rotary_factor": 0.25})",
     .kinds = kLinear,
     .layers = {Form::last, "full_attention_interval", 4, "linear_attention", "full_attention", {}},
     .qk_norm = true,
     .source = "qwen3_5/configuration_qwen3_5.py"},
    {.type = "step3p5",
     .names = R"({"partial_rotary_factor": "partial_rotary_factors"})",
     .kinds =
         R"({"full_attention": {"scaling": true, "rope_theta": "$rope_theta", "partial_rotary_factor": "$partial_rotary_factor"},
                  "sliding_attention": {"rope_theta": "$rope_theta", "partial_rotary_factor": "$partial_rotary_factor",
                                        "sliding_window": "$sliding_window"}})",
     .source = "Step-3.5 configuration_step3p5.py, in public copies"},

    // ---- no rotation -------------------------------------------------------------------------------------------
    {.type = "granitemoehybrid",
     .when = R"({"position_embedding_type": "rope"})",
     .source = "granitemoehybrid/modular_granitemoehybrid.py"},
    {.type = "granitemoehybrid",
     .encoding = R"({"kind": "none"})",
     .source = "granitemoehybrid/modular_granitemoehybrid.py"},
    {.type = "nemotron_h", .encoding = R"({"kind": "none"})", .source = "nemotron_h/modeling_nemotron_h.py"},
    {.type = "jamba", .encoding = R"({"kind": "none"})", .source = "jamba/modular_jamba.py"},

    // ---- tables and biases -------------------------------------------------------------------------------------
    {.type = "bloom",
     .encoding = R"({"kind": "alibi", "variant": "bloom"})",
     .names = R"({"hidden_size": "n_embed"})",
     .source = "bloom/configuration_bloom.py"},
    {.type = "bert", .when = R"({"position_embedding_type": "alibi"})", .encoding = R"({"kind": "alibi"})"},
    {.type = "bart",
     .encoding = R"({"kind": "learned", "position_offset": 2})",
     .defaults = R"({"max_position_embeddings": 1024})",
     .source = "bart/modeling_bart.py"},
    {.type = "mbart",
     .encoding = R"({"kind": "learned", "position_offset": 2})",
     .defaults = R"({"max_position_embeddings": 1024})",
     .source = "mbart/modeling_mbart.py, in public copies"},
    {.type = "pegasus",
     .encoding = R"({"kind": "sinusoidal", "variant": "halves"})",
     .source = "pegasus/modeling_pegasus.py, in public copies"},
    {.type = "whisper",
     .encoding = R"({"kind": "learned", "position_offset": 0})",
     .names = R"({"max_position_embeddings": "max_target_positions"})",
     .defaults = R"({"max_position_embeddings": 448})",
     .note = "whisper",
     .source = "whisper/modeling_whisper.py, in public copies"},
    {.type = "mpnet",
     .encoding = R"({"kind": "t5"})",
     .note = "mpnet",
     .source = "mpnet/modeling_mpnet.py, in public copies"},
    {.type = "deberta deberta-v2", .encoding = "refused", .note = "deberta"},
};

bool holds(const ModelFamily& family, const Json& config) {
    if (family.when.empty()) return true;
    const Json when = Json::parse(family.when);
    return std::all_of(when.items().begin(), when.items().end(), [&](const auto& item) {
        const auto found = config.find(item.key());
        return found != config.end() && *found == item.value();
    });
}

// Whether a list of names, separated by spaces, has this one.
bool named(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == name) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

}  // namespace

std::span<const ModelFamily> families() { return kFamilies; }

const ModelFamily* family_of(std::string_view model_type, const Json& config) {
    const auto found =
        std::find_if(std::begin(kFamilies), std::end(kFamilies), [&](const ModelFamily& family) {
            return named(family.type, model_type) && holds(family, config);
        });
    return found == std::end(kFamilies) ? nullptr : found;
}

}  // namespace posiscope
