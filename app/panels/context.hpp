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

// A field that opens the list of models, and a menu of a model's kinds of layers, two or three, instead of a slider over all
// layers; each returns its height.
float model_field(Panel& panel, Rect area, std::string_view title);
float layer_kind(Panel& panel, Rect area, const Method& method);
// The controls, from the top of `area`; returns their height. On the bench of dumps those two stand beside the file.
float context(Panel& panel, Rect area, const Method& method);

}  // namespace posiscope::panels
