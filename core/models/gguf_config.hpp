// gguf_config.hpp — the settings of a .gguf file as the config.json that they were converted from, as far as positions go.
// Keys     ARCH.context_length, embedding_length, block_count, attention.head_count, .head_count_kv, .key_length, .key_length_mla,
//          .sliding_window, full_attention_interval, rope.dimension_count, .dimension_sections, .freq_base, .freq_base_swa,
//          .sliding_window_pattern, .kv_lora_rank, .temperature_scale, .relative_buckets_count, rope.scaling.type (none, linear,
//          yarn), .factor, .original_context_length, .yarn_log_multiplier, .yarn_beta_fast, .yarn_beta_slow, .yarn_ext_factor,
//          .attn_factor, rope.scale_linear; the tensors rope_freqs.weight, by which each frequency is divided, as converters write
//          for Llama 3, and LongRoPE's rope_factors_short.weight and rope_factors_long.weight.
// Layout   what llama.cpp rotates: neighbours for some architectures, whose rows of W_q and W_k may be permuted; halves for others.
// Source   ggml docs/gguf.md at 01f0d4d; ggml-org/llama.cpp src/llama-model.cpp, llama_model_rope_type, at 0034230 and a later copy;
//          conversion/llama.py at 0274f0f, LlamaModel.permute; Phi3MiniModel.generate_extra_tensors; llama_model::get_rope_factors.
#pragma once

#include "core/formats/gguf.hpp"

#include <string>
#include <vector>

namespace posiscope {

// The divisors of frequencies that a file may have as tensors; empty without.
struct GgufDivisors {
    std::vector<double> at_any_length, within, beyond;  // the original length
};

// Refused: gguf.architecture, one that has no rotary key and is not known to rotate nothing; gguf.scaling, another method.
Result<Json> config_of_gguf(const Gguf& file, const GgufDivisors& divisors);

// The same from a file.
Result<Json> config_of_gguf(const std::string& path);

}  // namespace posiscope
