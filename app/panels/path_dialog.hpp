// path_dialog.hpp — a text field for a path, for desktops without a file dialog: its state.
#pragma once

#include "app/panels/panel.hpp"

namespace posiscope::panels {

// It stays open until it is closed or its purpose is nothing.
struct PathDialog {
    enum class For { nothing, opening, saving, lesson };  // lesson: a new one is saved
    For purpose = For::nothing;
    std::array<char, 4096> text{};
    bool fresh = false;              // opened this frame: takes the keyboard
    std::optional<Problem> problem;  // why the entered path is refused
};

struct PathView {
    PathDialog& dialog;                         // changed in place
    std::optional<std::string_view> entered{};  // returned
};

}  // namespace posiscope::panels
