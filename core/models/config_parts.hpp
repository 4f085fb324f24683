// config_parts.hpp — a config with several parts, and its text as Python writes it.
#pragma once

#include "core/models/config.hpp"
#include "core/models/reader.hpp"

namespace posiscope {

// The language model, or the vision tower.
enum class Part { language, vision };

// Refused: config.no_vision, without a tower; config.vision_unknown, one whose family is not in the table.
Result<ModelScene> read_config(const Json& config, Part part);
Result<ModelScene> read_config_text(std::string_view text, Part part);

// A .yaml or .yml is not read: MaxText and NeMo name each key in their own way, a YAML library would have to be built for the
// page and for Windows too, and weights converted for transformers have a config.json.
std::optional<Problem> refused_yaml(std::string_view path);

// The text with Python's Infinity and NaN, which JSON does not have, as marked strings.
std::string without_infinities(std::string_view text);
// Undoes it.
std::string with_infinities(std::string text);

// Layers of a config that are alike: kinds with their base, scaling and window, and the kind of each.
// Writes rope_scaling, layer_types, the selected layer, and windows into the encoding. `dictionary` is the config's scaling
// object, flat or one per type, or null.
void read_kinds(Reader& read, Json dictionary, Json& encoding);

// The heads and the key heads of a kind of layer, as far as the config gives them; `kind` is empty if all layers are alike.
struct KindHeads {
    std::optional<std::int64_t> heads, key_heads;
};
KindHeads heads_of(const Json& config, std::string_view kind);

// The rotary part of a config.json: base, scaling, layout, and the kinds of its layers.
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
