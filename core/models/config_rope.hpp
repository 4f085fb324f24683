// config_rope.hpp — the rotary part of a config.json: base, scaling, layout, and the kinds of its layers.
#pragma once

#include "core/models/config.hpp"
#include "core/models/reader.hpp"

namespace posiscope {

// Fills in the Scene's encoding, base and layout; refusals go to the reader.
void read_rope(Reader& read, ModelScene& model);

// The length that the weights were trained with, as far as a config says: the original length of dual chunk attention,
// else the model's length.
std::optional<std::int64_t> trained_length(Reader& read);

// The layer kind that an encoding shows; empty if its layers are alike.
std::string shown_kind(const Json& encoding);

// The language part of a config that has several, with what is around it; `path` receives its place. A params.json of Meta or
// Mistral, which has no model_type, gets one of ours: meta_params, meta_params_llama4,
// mistral_params, mistral_params_latent.
Json language_part(const Json& config, std::string& path);

// The vision tower of a config; a model_type that the language model has too ends in _vision. `path` is empty without a tower.
Json vision_part(const Json& config, std::string& path);

// "interleaved" or "half".
const char* layout_of(Reader& read);

}  // namespace posiscope
