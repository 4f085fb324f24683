// config_layers.hpp — which layers of a config are alike: kinds with their base, scaling and window, and the kind of each.
#pragma once

#include "core/models/reader.hpp"

namespace posiscope {

// Writes rope_scaling, layer_types, the selected layer, and windows into the encoding. `dictionary` is the config's scaling
// object, flat or one per type, or null.
void read_kinds(Reader& read, Json dictionary, Json& encoding);

// The heads and the key heads of a kind of layer, as far as the config gives them; `kind` is empty if all layers are alike.
struct KindHeads {
    std::optional<std::int64_t> heads, key_heads;
};
KindHeads heads_of(const Json& config, std::string_view kind);

}  // namespace posiscope
