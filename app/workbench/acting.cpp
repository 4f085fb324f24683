// acting.cpp — what keys and menus do.
#include "app/workbench/workbench.hpp"

#include <imgui.h>
#include <imgui_internal.h>
#include <utility>

namespace posiscope::workbench {

void Workbench::move_by(std::int64_t positions, std::int64_t offset, std::int64_t pair) {
    Scene next = shown_scene();
    figures::set_position(next, next.position + positions);
    figures::set_offset(next, next.offset + offset);
    next.pair = std::max<std::int64_t>(0, next.pair + pair);
    const std::int64_t pairs = encoding_of(next).pairs(next);
    if (pair > 0 && pairs > 0) next.pair = std::min(next.pair, pairs - 1);
    take(std::move(next));
}

// A against B.
void Workbench::compare(panels::Action action) {
    using panels::Action;
    if (action != Action::compare_keep && scene_.compare.is_null()) {
        say(std::string(strings_->text("toast.no_b")));
        return;
    }
    Scene next = scene_;
    switch (action) {
        case Action::compare_keep: keep_as_b(next); break;
        case Action::compare_swap: swap_sides(next); break;
        case Action::compare_next:
            show_sides(
                next, static_cast<Sides>((static_cast<std::size_t>(sides(next)) + 1) % sides_names().size()));
            break;
        default: end_comparison(next); break;
    }
    take_as_a(std::move(next));
    if (action == Action::compare_keep) {
        const ui::Look look = this->look();
        say(std::string(look.scratch->format("{}  {}", strings_->text("toast.kept_as_b"),
                                             caption(look, *compared_.of(scene_)))),
            Tone::good);
    }
}

void Workbench::perform(panels::Action action) {
    using panels::Action;
    const auto solo = [&](std::size_t index) {
        const auto ids = figures_of(bench_of(scene_.bench));
        if (index >= ids.size()) return;
        solo_ = solo_ == ids[index] ? std::string() : std::string(ids[index]);
    };
    const auto turn_to_bench = [&](std::size_t forward) {
        const auto at = static_cast<std::size_t>(&bench_of(scene_.bench) - benches().data());
        scene_.bench = benches()[(at + forward) % benches().size()].id;
        solo_.clear();
    };
    const auto themes = ui::themes();
    switch (action) {
        case Action::play: playing_.on = !playing_.on; break;
        case Action::position_back: move_by(-1, 0, 0); break;
        case Action::position_forward: move_by(1, 0, 0); break;
        case Action::position_back_ten: move_by(-10, 0, 0); break;
        case Action::position_forward_ten: move_by(10, 0, 0); break;
        case Action::offset_less: move_by(0, -1, 0); break;
        case Action::offset_more: move_by(0, 1, 0); break;
        case Action::pair_previous: move_by(0, 0, -1); break;
        case Action::pair_next: move_by(0, 0, 1); break;
        case Action::whole_bench: solo_.clear(); break;
        case Action::figure_1: solo(0); break;
        case Action::figure_2: solo(1); break;
        case Action::figure_3: solo(2); break;
        case Action::figure_4: solo(3); break;
        case Action::previous_bench: turn_to_bench(benches().size() - 1); break;
        case Action::next_bench: turn_to_bench(1); break;
        case Action::next_mode: {
            const figures::Figure* figure =
                figures::find_figure(hovered_figure_.empty() ? "matrix" : hovered_figure_);
            if (figure == nullptr || figure->modes == nullptr) break;
            const Scene& scene = shown_scene();
            const auto offered = figure->modes(scene);
            const auto now = std::find(offered.begin(), offered.end(), figures::mode(*figure, scene));
            Scene next = scene;
            figures::set_view_value(
                next, figure->id, "mode",
                std::string(offered[static_cast<std::size_t>(now - offered.begin() + 1) % offered.size()]));
            take(std::move(next));
            break;
        }
        case Action::undo:
            scene_ = history_.undo();
            requests_.scene_changed = true;
            break;
        case Action::redo:
            scene_ = history_.redo();
            requests_.scene_changed = true;
            break;
        case Action::open_file: requests_.choose_file = true; break;
        case Action::save_scene: requests_.choose_target = true; break;
        case Action::reload: requests_.reload = true; break;
        case Action::previous_card: requests_.turn_page = -1; break;
        case Action::next_card: requests_.turn_page = 1; break;
        case Action::copy_scene: copy_text(to_json(scene_).dump(2), "toast.copied_scene"); break;
        case Action::paste_scene: paste_scene(); break;
        case Action::export_as: ask_export(seen_figure()); break;
        case Action::copy_picture: requests_.copy_picture = seen_figure(); break;
        case Action::reset_scene: open(Scene()); break;
        case Action::compare_keep:
        case Action::compare_swap:
        case Action::compare_next:
        case Action::compare_end: compare(action); break;
        case Action::reset_layout:
            preferences_.splits.erase(std::string(bench_of(scene_.bench).id));
            solo_.clear();
            break;
        case Action::save_window: requests_.save = Requests::Save{}; break;
        case Action::save_figure: {
            const std::string figure = seen_figure();
            requests_.save = Requests::Save{figure.empty() ? "rotations" : figure};
            break;
        }
        case Action::save_pdf: requests_.save = Requests::Save{seen_figure(), ".pdf"}; break;
        case Action::save_svg: requests_.save = Requests::Save{seen_figure(), ".svg"}; break;
        case Action::theme:
            for (std::size_t i = 0; i < themes.size(); ++i)
                if (themes[i].name == preferences_.theme) {
                    preferences_.theme = themes[(i + 1) % themes.size()].name;
                    break;
                }
            break;
        case Action::language: preferences_.language = preferences_.language == "zh" ? "en" : "zh"; break;
        case Action::larger:
            preferences_.scale = std::min(3.0, std::round(preferences_.scale * 10.0 + 1.0) / 10.0);
            break;
        case Action::smaller:
            preferences_.scale = std::max(0.5, std::round(preferences_.scale * 10.0 - 1.0) / 10.0);
            break;
        case Action::normal_size: preferences_.scale = 1.0; break;
        case Action::full_screen: requests_.full_screen = true; break;
        case Action::help: help_open_ = !help_open_; break;
        case Action::quit: requests_.quit = true; break;
    }
}

// Arrows and space belong to the position and to playing, until Tab takes the keyboard to the controls; a click or
// Escape gives them back. In an open menu they always move through it.
void Workbench::share_keyboard() {
    const bool menu = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (ImGui::IsKeyPressed(ImGuiKey_Tab)) controls_have_keys_ = true;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsKeyPressed(ImGuiKey_Escape))
        controls_have_keys_ = false;
    ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
    if (controls_have_keys_ || menu) flags |= ImGuiConfigFlags_NavEnableKeyboard;
    else flags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    if (!menu) ImGui::SetNavCursorVisible(controls_have_keys_);
}

void Workbench::keys() {
    if (ImGui::GetIO().WantTextInput) return;
    share_keyboard();
    for (const panels::ActionEntry& one : panels::actions()) {
        if (one.chord == 0) continue;
        const ImGuiKeyChord chord = one.chord;
        const bool arrows = chord == ImGuiKey_LeftArrow || chord == ImGuiKey_RightArrow ||
                            chord == ImGuiKey_UpArrow || chord == ImGuiKey_DownArrow ||
                            chord == ImGuiKey_Space;
        if (arrows && controls_have_keys_) continue;
        if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup) && one.action != panels::Action::help) continue;
        const bool repeats = one.group == panels::Group::explore || one.action == panels::Action::undo ||
                             one.action == panels::Action::redo;
        // "+" is a shifted key on many keyboards, and there is one on the number pad.
        constexpr std::pair<ImGuiKeyChord, ImGuiKeyChord> also[] = {
            {ImGuiMod_Ctrl | ImGuiKey_Equal, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Equal},
            {ImGuiMod_Ctrl | ImGuiKey_Equal, ImGuiMod_Ctrl | ImGuiKey_KeypadAdd},
            {ImGuiMod_Ctrl | ImGuiKey_Minus, ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract},
        };
        for (const auto& [listed, other] : also)
            if (listed == chord && ImGui::IsKeyChordPressed(other)) perform(one.action);
        if (ImGui::IsKeyChordPressed(chord, repeats ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None))
            perform(one.action);
    }
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !solo_.empty() && !help_open_) solo_.clear();
}

}  // namespace posiscope::workbench
