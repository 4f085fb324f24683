// config.hpp — a model's config.json, read into a partial Scene.
// Both spellings are read: rope_theta + rope_scaling, and rope_parameters; one dictionary or one for each layer
// type; Gemma 3's and ModernBERT's local bases; the names of GPT-2, GPT-J, NeoX, Falcon, MPT, Bloom, T5, OPT, Marian.
// A key that this program does not use is passed over; one that it does use is refused with its name, its value, its
// bound and the mend when it has the wrong type or leaves its bounds. Nothing is guessed without a note.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

inline constexpr std::size_t kLargestConfig = std::size_t{16} << 20;

// What a model comes to: a partial Scene that can be laid over any, and what a person should know about it.
struct ModelScene {
    Json scene = Json::object();
    std::vector<Problem> notes;
    bool unverified = false;  // some of it was not seen in a public source

    bool operator==(const ModelScene&) const = default;
};

Result<ModelScene> read_config(const Json& config);

// The same from a file's text; refused before it is parsed when larger than kLargestConfig.
Result<ModelScene> read_config_text(std::string_view text);

// Whether a JSON dictionary looks like a config.json and not like a Scene.
bool looks_like_config(const Json& json);

// What a model was trained with is the model: its own encoding and base, over the length it gives. Put into
// scene["trained"]; where neither a length nor a rotation is known there is nothing to put.
void remember_training(Json& scene, std::optional<std::int64_t> length);

// A scaling dictionary without the keys that its method does not know; `dropped` gets their names.
Json known_rope_keys(const Json& dictionary, std::vector<std::string>& dropped);

}  // namespace posiscope
