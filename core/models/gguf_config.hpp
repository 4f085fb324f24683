// gguf_config.hpp — the settings of a .gguf file as the config.json that they were converted from, as far as positions go.
// Keys     ARCH.context_length, embedding_length, attention.head_count, attention.head_count_kv, attention.key_length,
//          rope.dimension_count, rope.freq_base, rope.scaling.type (none, linear, yarn), .factor, .original_context_length,
//          rope.scale_linear; the tensor rope_freqs.weight, by which each frequency is divided, as converters write for Llama 3.
// Layout   what llama.cpp rotates: neighbours for llama, whose rows of W_q and W_k are permuted; halves for the others here.
// Source   ggml docs/gguf.md at 01f0d4d; ggml-org/llama.cpp src/llama-model.cpp at 0034230, llama_model_rope_type: NORM for llama,
//          NEOX for the other seven; conversion/llama.py at 0274f0f, LlamaModel.permute.
#pragma once

#include "core/formats/gguf.hpp"

#include <span>
#include <string>

namespace posiscope {

// `divisors`: the numbers of rope_freqs.weight, empty without it.
// Refused: gguf.architecture, of which this program does not know how llama.cpp rotates; gguf.scaling, another method.
Result<Json> config_of_gguf(const Gguf& file, std::span<const double> divisors);

// The same from a file.
Result<Json> config_of_gguf(const std::string& path);

}  // namespace posiscope
