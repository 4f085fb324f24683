// toolbar.hpp — what the bar at the top shows: where one is, what is open, and the buttons of actions.
#pragma once

#include "app/panels/actions.hpp"
#include "app/panels/outside.hpp"
#include "core/scene/comparison.hpp"

#include <optional>

namespace posiscope::panels {

struct ToolbarView {
    std::span<const Action> actions;
    std::span<const std::string_view> benches, figures;  // their ids
    std::string_view alone;                              // the one figure that is shown, or empty
    std::string_view theme;
    bool folded;                 // the window has no room for the sidebar unless it is asked for
    std::optional<Sides> sides;  // of a comparison, if there is one
    const Outside& outside;
    std::span<const Recent> recent;
    int& picture_scale;  // changed in place

    const Action& action(std::string_view id) const { return find_action(actions, id); }
};

}  // namespace posiscope::panels
