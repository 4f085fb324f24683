// panels.hpp — the list of panels, in the order in which they take their room. To add one: a file here that fills in a
// PanelEntry, and a line in panels.cpp. Around holds what it shows besides the Scene.
#pragma once

#include "app/panels/around.hpp"
#include "app/panels/panel.hpp"

namespace posiscope::panels {

// The edge a panel takes its room from. `over`: it takes none and is drawn last.
enum class Edge { top, bottom, left, over };

struct PanelEntry {
    std::string_view id;
    Edge edge = Edge::over;
    float size = 0.0F;        // points
    float presenting = 0.0F;  // the same while presenting; 0: not shown then
    bool scrolls = false;     // if its content does not fit
    void (*draw)(Panel& panel, Around& around, Rect area);
};

std::span<const PanelEntry* const> panels();

}  // namespace posiscope::panels
