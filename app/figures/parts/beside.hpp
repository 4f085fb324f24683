// beside.hpp — curves of more Scenes beside a Scene's own: view.FIGURE.beside lists settings such as "d_model=128", each laid over
// the Scene. Figures that draw curves by it: Scores and Spectrum.
#pragma once

#include "app/figures/figure.hpp"
#include "app/figures/parts/derived.hpp"

#include <memory>
#include <string>

namespace posiscope::figures {

inline constexpr std::size_t kMostBeside = 8;

struct Beside {
    std::string setting;
    std::unique_ptr<Scene> scene;  // null where the setting is refused
    Derived derived;
    canvas::Stroke stroke;
};
// Kept until the Scene or the list changes.
std::span<const std::unique_ptr<Beside>> beside(Frame& f);

// Their settings and strokes in rows that are cut from the area's top; nothing where there are none.
void name_beside(Frame& f, Rect& area);

}  // namespace posiscope::figures
