// rope_layers.hpp — layers of a model that differ: their type, and whether they rotate at all (NoPE).
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

    bool empty() const { return types.size() < 2 && layers.empty(); }
};

// Empty for every encoding but rope, and if all layers are alike.
RopeLayers rope_layers(const SpectrumInput& scene);

}  // namespace posiscope
