// extra_scenes.hpp — curves of more Scenes beside a Scene's own: view.FIGURE.beside lists them, each as a setting that is laid over the
// Scene, "d_model=128", or as {"label": "Half", "set": ["d_model=128", "base=500000"]} with a name of any words; "set" may be a
// single setting, or be left out. Figures that draw curves by it: Scores and Spectrum.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/derived.hpp"

#include <memory>
#include <string>

namespace posiscope::figures {

inline constexpr std::size_t kMostExtraScenes = 8;

// One of the list. Refused where it has another form.
struct NamedCurve {
    std::string label;
    std::vector<std::string> settings;
};
Result<NamedCurve> curve_of(const Json& listed);
// Its Scene. Refused: an unknown key or value, and a setting of the view, which would list more of them.
Result<Scene> scene_of(const NamedCurve& curve, const Scene& scene);

struct ExtraScene {
    std::string label;
    std::unique_ptr<Scene> scene;  // null where it is refused
    Derived derived;
    canvas::Stroke stroke;
};
// Kept until the Scene or the list changes.
std::span<const std::unique_ptr<ExtraScene>> extra_scenes(Frame& f);

// Their labels and strokes in rows that are cut from the area's top; nothing where there are none.
void name_extra_scenes(Frame& f, Rect& area);

}  // namespace posiscope::figures
