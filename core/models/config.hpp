// config.hpp — a model's config.json, read into a partial Scene.
// Both spellings are read: rope_theta + rope_scaling, and rope_parameters; one object or one per layer
// type; Gemma 3's and ModernBERT's local bases; the names of GPT-2, GPT-J, NeoX, Falcon, MPT, Bloom, T5, OPT, Marian.
// A key that this program does not use is ignored. A key that it does use is refused, with its name, value, bound and
// fix, if it has the wrong type or is out of bounds. Nothing is guessed without a note.
#pragma once

#include "core/scene/scene.hpp"

namespace posiscope {

inline constexpr std::size_t kLargestConfig = std::size_t{16} << 20;
inline constexpr std::size_t kMostKept = std::size_t{32} << 10;  // of a config that a Scene keeps with it

// A model as a partial Scene that can be applied to any, with notes for the user.
struct ModelScene {
    Json scene = empty_object();
    std::vector<Problem> notes;
    bool unverified = false;  // some values were not found in a public source

    bool operator==(const ModelScene&) const = default;
};

Result<ModelScene> read_config(const Json& config);

// The same from a file's text; refused before parsing if larger than kLargestConfig.
Result<ModelScene> read_config_text(std::string_view text);

// True if a JSON object looks like a config.json rather than a Scene.
bool looks_like_config(const Json& json);

// Sets scene["trained"] to the model itself: its own encoding and base, over the length it gives. Sets nothing if
// neither a length nor a rotation is known.
void remember_training(Json& scene, std::optional<std::int64_t> length);

// A scaling object without the keys that its method does not use; `dropped` receives their names.
Json known_rope_keys(const Json& dictionary, std::vector<std::string>& dropped);

}  // namespace posiscope
