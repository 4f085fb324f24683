#include "app/panels/actions.hpp"

#include <array>
#include <imgui.h>
#include <stdexcept>

namespace posiscope::panels {
namespace {

constexpr std::array kActions = {
    ActionEntry{Action::play, "play", ImGuiKey_Space, Group::explore},
    ActionEntry{Action::position_back, "position_back", ImGuiKey_LeftArrow, Group::explore},
    ActionEntry{Action::position_forward, "position_forward", ImGuiKey_RightArrow, Group::explore},
    ActionEntry{Action::position_back_ten, "position_back_ten", ImGuiMod_Shift | ImGuiKey_LeftArrow,
                Group::explore},
    ActionEntry{Action::position_forward_ten, "position_forward_ten", ImGuiMod_Shift | ImGuiKey_RightArrow,
                Group::explore},
    ActionEntry{Action::offset_less, "offset_less", ImGuiKey_LeftBracket, Group::explore},
    ActionEntry{Action::offset_more, "offset_more", ImGuiKey_RightBracket, Group::explore},
    ActionEntry{Action::pair_previous, "pair_previous", ImGuiKey_UpArrow, Group::explore},
    ActionEntry{Action::pair_next, "pair_next", ImGuiKey_DownArrow, Group::explore},
    ActionEntry{Action::next_mode, "next_mode", ImGuiKey_F, Group::explore},
    ActionEntry{Action::compare_keep, "compare_keep", ImGuiKey_C, Group::explore},
    ActionEntry{Action::compare_next, "compare_next", ImGuiKey_V, Group::explore},
    ActionEntry{Action::compare_swap, "compare_swap", ImGuiKey_X, Group::explore},
    ActionEntry{Action::compare_end, "compare_end", 0, Group::explore},
    ActionEntry{Action::whole_bench, "whole_bench", ImGuiKey_0, Group::look},
    ActionEntry{Action::figure_1, "figure_1", ImGuiKey_1, Group::look},
    ActionEntry{Action::figure_2, "figure_2", ImGuiKey_2, Group::look},
    ActionEntry{Action::figure_3, "figure_3", ImGuiKey_3, Group::look},
    ActionEntry{Action::figure_4, "figure_4", ImGuiKey_4, Group::look},
    ActionEntry{Action::previous_bench, "previous_bench", ImGuiMod_Ctrl | ImGuiKey_PageUp, Group::look},
    ActionEntry{Action::next_bench, "next_bench", ImGuiMod_Ctrl | ImGuiKey_PageDown, Group::look},
    ActionEntry{Action::theme, "theme", ImGuiKey_T, Group::look},
    ActionEntry{Action::language, "language", ImGuiKey_L, Group::look},
    ActionEntry{Action::larger, "larger", ImGuiMod_Ctrl | ImGuiKey_Equal, Group::look},
    ActionEntry{Action::smaller, "smaller", ImGuiMod_Ctrl | ImGuiKey_Minus, Group::look},
    ActionEntry{Action::normal_size, "normal_size", ImGuiMod_Ctrl | ImGuiKey_0, Group::look},
    ActionEntry{Action::full_screen, "full_screen", ImGuiKey_F11, Group::look},
    ActionEntry{Action::reset_layout, "reset_layout", 0, Group::look},
    ActionEntry{Action::open_file, "open_file", ImGuiMod_Ctrl | ImGuiKey_O, Group::keep},
    ActionEntry{Action::save_scene, "save_scene", ImGuiMod_Ctrl | ImGuiKey_S, Group::keep},
    ActionEntry{Action::reload, "reload", ImGuiMod_Ctrl | ImGuiKey_R, Group::keep},
    ActionEntry{Action::previous_card, "previous_card", ImGuiKey_PageUp, Group::keep},
    ActionEntry{Action::next_card, "next_card", ImGuiKey_PageDown, Group::keep},
    ActionEntry{Action::undo, "undo", ImGuiMod_Ctrl | ImGuiKey_Z, Group::keep},
    ActionEntry{Action::redo, "redo", ImGuiMod_Ctrl | ImGuiKey_Y, Group::keep},
    ActionEntry{Action::export_as, "export_as", ImGuiMod_Ctrl | ImGuiKey_E, Group::keep},
    ActionEntry{Action::copy_picture, "copy_picture", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C,
                Group::keep},
    ActionEntry{Action::save_window, "save_window", ImGuiKey_F12, Group::keep},
    ActionEntry{Action::save_figure, "save_figure", ImGuiMod_Shift | ImGuiKey_F12, Group::keep},
    ActionEntry{Action::save_pdf, "save_pdf", ImGuiMod_Ctrl | ImGuiKey_P, Group::keep},
    ActionEntry{Action::save_svg, "save_svg", ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P, Group::keep},
    ActionEntry{Action::copy_scene, "copy_scene", ImGuiMod_Ctrl | ImGuiKey_C, Group::keep},
    ActionEntry{Action::paste_scene, "paste_scene", ImGuiMod_Ctrl | ImGuiKey_V, Group::keep},
    ActionEntry{Action::reset_scene, "reset_scene", 0, Group::keep},
    ActionEntry{Action::help, "help", ImGuiKey_F1, Group::keep},
    ActionEntry{Action::quit, "quit", ImGuiMod_Ctrl | ImGuiKey_Q, Group::keep},
};

}  // namespace

std::span<const ActionEntry> actions() { return kActions; }

const ActionEntry& entry(Action action) {
    for (const ActionEntry& one : kActions)
        if (one.action == action) return one;
    throw std::logic_error("an action that is not in the list");
}

}  // namespace posiscope::panels
