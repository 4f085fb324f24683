// context.hpp — the controls for long contexts: the model, its trained length, the scaling in use.
#pragma once

#include "app/panels/panel.hpp"
#include "core/encodings/rope_layers.hpp"

namespace posiscope::panels {

// The scaling in use in a rope Scene's layer, the path of its settings, and the kinds of layers; empty for other encodings.
struct Method {
    std::string_view name;
    std::string path;
    RopeLayers layers;
    std::vector<double> bases;  // of the kinds
};
Method method_of(const SpectrumInput& scene);

// The controls, from the top of `area`; returns their height.
float context(Panel& panel, Rect area, const Method& method);

}  // namespace posiscope::panels
