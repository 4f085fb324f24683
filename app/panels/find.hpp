// find.hpp — one field that finds benches, figures, examples, models, settings, lessons, claims and actions by their words.
#pragma once

#include "app/panels/panel.hpp"

namespace posiscope::panels {

// Kept in the workbench between frames.
struct FindState {
    bool open = false, fresh = false;  // opened in this frame: takes the keyboard
    std::array<char, 128> text{};
    std::size_t chosen = 0;
};

struct FindRow {
    std::string_view name, detail,
        kind;                // its kind in words; detail: a key, or its name in the other language
    const Command* command;  // null: its number is still to be typed
};

struct FindView {
    FindState& state;
    std::span<const FindRow> rows;
};

}  // namespace posiscope::panels
