// actions.hpp — an action as a record. Menus, keys, buttons and help all come from one table of these
// (workbench/action_list.cpp), so they cannot disagree.
#pragma once

#include "app/ui/look.hpp"

#include <array>
#include <functional>
#include <span>

namespace posiscope::panels {

enum class Group { explore, look, lecture, keep };  // the columns of the help

// The sections of the menus.
enum class Menu { none, open, file, scene, bench, size, program, compare, share, save };

// The hosts that offer an action. A web page offers none whose keys belong to the browser.
enum Where : unsigned { kDesktop = 1U, kPage = 2U, kPresenting = 4U };

struct Action {
    std::string_view id;           // "action.ID" in the string tables
    int key = 0;                   // ImGuiKeyChord; 0: by menu only
    std::array<int, 2> also = {};  // further keys for the same
    int on_page = 0;               // the only key in a browser, where the browser keeps `key`
    Group group = Group::keep;
    Menu menu = Menu::none;
    unsigned where = kDesktop | kPage;
    bool repeats = false;      // while its key is held
    bool held = false;         // performed in every frame in which its key is down
    bool over_popups = false;  // its key works while a menu or a dialog is open
    // True if menus enable it; empty: always. Its key performs it regardless, and `perform` says why it is impossible.
    std::function<bool()> possible = {};
    std::function<void()> perform = {};

    bool offered() const { return !possible || possible(); }
};

// Throws if there is none.
const Action& find_action(std::span<const Action> actions, std::string_view id);

// "Ctrl +", "Shift ←": as keyboards label them; empty for none.
std::string_view key_text(const ui::Look& look, int key);
std::string_view action_name(const ui::Look& look, const Action& action);

// Keys that browsers do not pass to a page, or that users expect the browser to handle.
bool browser_keeps(int key);
// Keys that presenters' remotes send to page, begin, blank and end. They may not have another meaning.
bool remotes_send(int key);

}  // namespace posiscope::panels
