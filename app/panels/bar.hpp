// bar.hpp — the toolbar: the name (and its menu), the benches, undo and redo, export, language, theme.
#pragma once

#include "app/panels/actions.hpp"
#include "app/panels/panel.hpp"
#include "core/scene/comparison.hpp"

#include <span>
#include <string>

namespace posiscope::panels {

inline constexpr float kBarHeight = 46.0F;

// The names of the open files.
struct Outside {
    std::size_t card = 0, cards = 0;  // index from 1, and number, of several open scenes; 0: one
    std::string name;                 // of the current file
    std::string changed;              // of an open file that has changed on disk; empty: none has
};

// A recent file, and whether it still exists.
struct Recent {
    std::string path;
    bool there = true;
};

struct BarState {
    std::span<const std::string_view> benches;  // their ids
    std::span<const std::string_view> figures;  // every figure's id
    std::string_view bench;
    std::string_view solo;  // the single figure shown, or empty
    std::string_view theme;
    bool can_undo, can_redo;
    int& picture_scale;
    std::optional<Sides> sides;  // the view of a comparison, if there is one
    const Outside& outside;
    std::span<const Recent> recent;
    // Returned.
    std::string_view chosen_bench{};
    std::string_view chosen_figure{};  // to be shown alone
    std::string_view chosen_theme{};
    std::optional<Sides> chosen_sides{};
    std::string_view chosen_code{};  // a format of core/code to copy
    const Recent* chosen_recent = nullptr;
    bool menu_opened = false;  // in this frame
};

// The requested action, if any.
std::optional<Action> bar(const ui::Look& look, Rect area, BarState& state);

// All keys, over everything else; closes on Escape, F1 or a click outside.
void help(const ui::Look& look, bool& open);

}  // namespace posiscope::panels
