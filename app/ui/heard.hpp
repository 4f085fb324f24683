// heard.hpp — what somebody hears who does not see the control that has the keyboard: a page gives it to screen readers.
#pragma once

#include "app/ui/geometry.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posiscope::ui {

// The control that has the keyboard: widgets fill it in each frame if ImGui's io.UserData names one.
struct Heard {
    std::string
        role;  // of WAI-ARIA: "slider", "button", "checkbox", "combobox", "menuitem"; empty: nothing has the keyboard
    std::string name, value;
    double least = 0.0, most = 0.0, now = 0.0;  // of a slider
    bool on = false;                            // of a checkbox
    Rect area{};
    bool gathers = false;                                        // the name is what is written on it
    std::vector<std::pair<std::string, Rect>>* named = nullptr;  // where all widgets stand, for tests

    bool operator==(const Heard&) const = default;
};

// The entry of the widget drawn last, if it has the keyboard. Null for any other, and on a desktop.
Heard* heard_of_last(std::string_view role, std::string_view name);
// Text that is written somewhere: on the widget that has the keyboard, or not.
void hear_text(Point at, std::string_view text);
// The tip of the last widget, which is its name where nothing is written on it.
void hear_tip(std::string_view text);

}  // namespace posiscope::ui
