// rope_layers.hpp — a model as a list of layer kinds: layers that differ in base, scaling, window, or in whether they rotate
// at all (NoPE).
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

struct RopeLayers {
    struct Layer {
        int type = -1;  // index into types; −1: the settings name none
        bool turns = true;
    };
    std::vector<std::string> types;  // the keys of the objects, if there is one per type
    int present = -1;                // the Scene's
    std::vector<Layer> layers;       // empty if the settings do not distinguish layers by number
    bool goes_on = false;            // only the rule is known, not the number of layers

    // Layers that are alike; two or more where layers differ. A kind without numbered layers has layer −1.
    struct Kind {
        int type = -1;
        bool turns = true;
        std::int64_t layer = -1;  // its first
        std::size_t count = 0;    // of layers
        std::optional<std::int64_t> window;

        bool operator==(const Kind&) const = default;
    };
    std::vector<Kind> kinds;
    int kind = -1;  // the Scene's

    bool empty() const { return types.size() < 2 && layers.empty(); }
    bool several() const { return kinds.size() > 1; }
};

// Empty for every encoding but rope, and if all layers are alike.
RopeLayers rope_layers(const SpectrumInput& scene);

// The Scene's encoding with a layer of that kind selected.
Json with_kind(const SpectrumInput& scene, const RopeLayers& layers, std::size_t kind);

}  // namespace posiscope
