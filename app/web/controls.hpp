// controls.hpp — the controls of the small form (app/web/shell/page.js makes them of HTML): their names, bounds and values.
#pragma once

#include "app/ui/strings.hpp"
#include "core/scene/scene.hpp"

#include <string>
#include <string_view>

namespace posiscope::web {

// For keys as "position,offset": [{"key", "name", "value", "minimum", "maximum"}]. Keys that are no whole number of a Scene
// are left out.
std::string controls_text(const Scene& scene, const Strings& strings, std::string_view keys);

// The Scene with one of them moved.
Result<Scene> with_control(const Scene& scene, std::string_view key, double value);

}  // namespace posiscope::web
