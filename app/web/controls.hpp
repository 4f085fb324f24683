// controls.hpp — the controls of the small form (app/web/shell/page.js makes them of HTML): their names, bounds and values.
#pragma once

#include "app/ui/strings.hpp"
#include "core/scene/scene.hpp"

#include <string>
#include <string_view>

namespace posiscope::web {

// For keys as "position,base,encoding", in their order: a slider is {"key", "name", "value", "minimum", "maximum", "step"} and
// perhaps "logarithmic"; a list has "choices" of {"value", "name"} instead of bounds; of a key that is not known there is
// only {"key", "unknown": a sentence}.
std::string controls_text(const Scene& scene, const Strings& strings, std::string_view keys);

// The Scene with one of them set to what its element holds.
Result<Scene> with_control(const Scene& scene, std::string_view key, std::string_view value);

}  // namespace posiscope::web
