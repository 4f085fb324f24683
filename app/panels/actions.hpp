// actions.hpp — everything that keys and menus can do, in one table: menus, keys and the help screen are generated from
// it, so they agree.
#pragma once

#include <span>
#include <string_view>

namespace posiscope::panels {

enum class Action {
    play,
    position_back,
    position_forward,
    position_back_ten,
    position_forward_ten,
    offset_less,
    offset_more,
    pair_previous,
    pair_next,
    whole_bench,
    figure_1,  // of the bench, alone
    figure_2,
    figure_3,
    figure_4,
    previous_bench,
    next_bench,
    next_mode,
    compare_keep,
    compare_swap,
    compare_next,
    compare_end,
    undo,
    redo,
    open_file,
    save_scene,
    reload,
    previous_card,
    next_card,
    copy_scene,
    paste_scene,
    reset_scene,
    reset_layout,
    export_as,
    copy_picture,
    save_window,
    save_figure,
    save_pdf,
    save_svg,
    theme,
    language,
    larger,
    smaller,
    normal_size,
    full_screen,
    help,
    quit,
};

enum class Group { explore, look, keep };

struct ActionEntry {
    Action action;
    std::string_view id;  // "action.ID" in the string tables
    int chord;            // ImGuiKeyChord; 0: by menu only
    Group group;
};

std::span<const ActionEntry> actions();
const ActionEntry& entry(Action action);

}  // namespace posiscope::panels
