// rope_layers.hpp — which layers of a model differ: their type, and whether they turn at all (NoPE).
#pragma once

#include "core/encodings/encodings.hpp"

namespace posiscope {

struct RopeLayers {
    struct Layer {
        int type = -1;  // index into types; −1: the settings name none
        bool turns = true;
    };
    std::vector<std::string> types;  // the names of the dictionaries, where there is one for each type
    int present = -1;                // the Scene's
    std::vector<Layer> layers;       // empty where the settings do not tell layers apart by number
    bool goes_on = false;            // only the rule is known, not how many layers there are

    bool empty() const { return types.size() < 2 && layers.empty(); }
};

// Empty for every encoding but rope, and where all layers are alike.
RopeLayers rope_layers(const Scene& scene);

}  // namespace posiscope
