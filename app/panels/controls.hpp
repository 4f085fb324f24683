// controls.hpp — the Scene's controls by their keys, so that the sidebar shows all of them and a lesson those of its step.
#pragma once

#include "app/panels/around.hpp"
#include "app/panels/panel.hpp"

namespace posiscope::panels {

// The control of "position", "encoding", "content.weights", …; returns its height, 0 where the Scene has none for the key.
float control(Panel& panel, const Around& around, Rect area, std::string_view key);
// All of them, and the chosen pair in numbers.
void all_controls(Panel& panel, Around& around, Rect area);
// A lesson in the sidebar's place.
void guide(Panel& panel, Around& around, Rect area);
// The tab of the claims, below its head.
void claims(Panel& panel, Around& around, ClaimsView& view, Rect area);
// The tab of the examples.
void examples(Panel& panel, GuideView& view, Rect area);

}  // namespace posiscope::panels
