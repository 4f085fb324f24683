// marks.hpp — whether a figure marks the selected position, offset and pair. A figure for print may be asked to leave them out:
// view.marks.hidden, which `render --bare` sets for what it draws.
#pragma once

#include "app/figures/figure.hpp"

namespace posiscope::figures {

inline void hide_marks(Scene& scene) { set_view_value(scene, "marks", "hidden", true); }
inline bool marked(const Frame& frame) {
    const Json* hidden = view_value(frame.scene, "marks", "hidden");
    return hidden == nullptr || *hidden != true;
}

}  // namespace posiscope::figures
