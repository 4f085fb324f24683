// figure_info.hpp — ⓘ: the explanation of a figure, and what its letters mean.
#pragma once

#include "app/ui/look.hpp"
#include "app/workbench/window/stage.hpp"

namespace posiscope::workbench {

class FigureInfo {
public:
    void button(Stage& stage, const ui::Look& look, const figures::Figure& figure, Point centre);
    // Takes the strip's room from the picture, or opens the popup; nothing for a figure that was not asked about.
    void draw(Stage& stage, const ui::Look& look, const figures::Figure& figure, Rect& inside);

private:
    std::string of_;      // the figure whose explanation is open
    bool asked_ = false;  // in this frame
};

}  // namespace posiscope::workbench
