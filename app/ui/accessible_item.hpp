// accessible_item.hpp — the control that has the keyboard, for screen readers, which a page gives it to.
#pragma once

#include "app/ui/geometry.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posiscope::ui {

// The control that has the keyboard: widgets fill it in each frame if ImGui's io.UserData names one.
struct AccessibleItem {
    // A role of WAI-ARIA: "slider", "button", "checkbox", "switch", "radio", "textbox", "combobox", "menuitem"; empty: nothing has
    // the keyboard.
    std::string role;
    std::string name, value;
    double least = 0.0, most = 0.0, now = 0.0;  // of a slider
    bool on = false;                            // of a checkbox, a switch and a radio button
    Rect area{};
    bool gathers = false;                                        // the name is what is written on it
    std::vector<std::pair<std::string, Rect>>* named = nullptr;  // where all widgets stand, for tests

    bool operator==(const AccessibleItem&) const = default;
};

// The entry of the widget drawn last, if it has the keyboard. Null for any other, and on a desktop.
AccessibleItem* announce_last(std::string_view role, std::string_view name);
// Text that is written somewhere: on the widget that has the keyboard, or not.
void announce_text(Point at, std::string_view text);
// The tip of the last widget, which is its name where nothing is written on it.
void announce_tip(std::string_view text);

}  // namespace posiscope::ui
