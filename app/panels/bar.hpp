// bar.hpp — the bar at the top: the name (and its menu), the benches, undo and redo, export, language, theme.
#pragma once

#include "app/panels/actions.hpp"
#include "app/panels/panel.hpp"
#include "core/scene/comparison.hpp"

#include <span>
#include <string>

namespace posiscope::panels {

inline constexpr float kBarHeight = 46.0F;

// What the program has open: the files are somebody else's, these are their names.
struct Outside {
    std::size_t card = 0, cards = 0;  // of a deck, from 1; 0 cards: no deck
    std::string name;                 // of the file that is shown
    std::string changed;              // of an open file that has changed on disk; empty: none has
};

// A file that was open before, and whether it still is where it was.
struct Recent {
    std::string path;
    bool there = true;
};

struct BarState {
    std::span<const std::string_view> benches;  // their ids
    std::span<const std::string_view> figures;  // every figure's id
    std::string_view bench;
    std::string_view solo;  // the one figure that is shown alone, or empty
    std::string_view theme;
    bool can_undo, can_redo;
    int& picture_scale;
    std::optional<Sides> sides;  // what is seen of a comparison, if there is one
    const Outside& outside;
    std::span<const Recent> recent;
    // Handed back.
    std::string_view chosen_bench{};
    std::string_view chosen_figure{};  // to be seen alone
    std::string_view chosen_theme{};
    std::optional<Sides> chosen_sides{};
    std::string_view chosen_code{};  // a form of core/code to be copied
    const Recent* chosen_recent = nullptr;
    bool menu_opened = false;  // in this frame
};

// What was asked for, if anything.
std::optional<Action> bar(const ui::Look& look, Rect area, BarState& state);

// Every key and what it does, over everything else; closes on Escape, F1 or a click outside.
void help(const ui::Look& look, bool& open);

}  // namespace posiscope::panels
