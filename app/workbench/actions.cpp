#include "app/workbench/actions.hpp"

#include "app/ui/parts/imgui_internals.hpp"

#include <algorithm>
#include <imgui.h>
#include <map>
#include <stdexcept>
#include <utility>

namespace posiscope::workbench {
namespace {

using panels::Action;

// Paging, presenting, blanking and leaving are what these keys are for.
constexpr std::string_view kByRemote[] = {"previous_card", "next_card", "leave", "present", "blank"};

bool offered_in(const Action& action, unsigned place) {
    return (action.where & place) != 0 || action.where == panels::kPresenting;
}

std::vector<int> keys_of(const Action& action, unsigned place) {
    if (place == panels::kPage && action.on_page != 0) return {action.on_page};
    std::vector<int> keys;
    for (const int key : {action.key, action.also[0], action.also[1]})
        if (key != 0) keys.push_back(key);
    return keys;
}

bool moves_controls(int key) {
    return key == ImGuiKey_LeftArrow || key == ImGuiKey_RightArrow || key == ImGuiKey_UpArrow ||
           key == ImGuiKey_DownArrow || key == ImGuiKey_Space;
}

bool moves_far(int key) {
    return key == ImGuiKey_PageUp || key == ImGuiKey_PageDown || key == ImGuiKey_Home || key == ImGuiKey_End;
}

// Each place has its keys, and none of them twice.
void check(std::span<const Action> table, unsigned place) {
    std::map<int, std::string_view> taken;
    std::map<std::string_view, bool> named;
    for (const Action& action : table) {
        const std::string id(action.id);
        if (!action.perform) throw std::logic_error(id + " does nothing");
        if (!named.emplace(action.id, true).second) throw std::logic_error("two actions are " + id);
        if (!offered_in(action, place)) continue;
        for (const int key : keys_of(action, place)) {
            if (const auto [first, fresh] = taken.emplace(key, action.id); !fresh)
                throw std::logic_error(id + " and " + std::string(first->second) + " have one key");
            if (place == panels::kPage && (action.where & panels::kPage) != 0 && panels::browser_keeps(key))
                throw std::logic_error(id + " has a key that browsers keep");
            if (panels::remotes_send(key) &&
                std::find(std::begin(kByRemote), std::end(kByRemote), action.id) == std::end(kByRemote))
                throw std::logic_error(id + " has a key that a lecturer's remote sends");
        }
    }
}

}  // namespace

Actions::Actions(std::vector<Action> table, unsigned place) : table_(std::move(table)) {
    for (const unsigned there : {panels::kDesktop, panels::kPage}) check(table_, there);
    std::erase_if(table_, [&](const Action& action) { return !offered_in(action, place); });
    if (place != panels::kPage) return;
    for (Action& action : table_)
        if (action.on_page != 0) action.key = action.on_page, action.also = {};
}

// Escape closes one thing. Where Dear ImGui has closed a popup over another with it before this frame began, the other one
// does not hear of it; nor does anything where it gives the keyboard back from the controls.
void Actions::use_up_escape() {
    const int popups = ui::open_popups();
    const bool gives_back = popups == 0 && popups_ == 0 && controls_have_keys_;
    if (!ImGui::IsKeyPressed(ImGuiKey_Escape) || !(gives_back || (popups > 0 && popups < popups_))) return;
    if (gives_back) controls_have_keys_ = false;
    ui::use_up_key(ImGuiKey_Escape);
}

// Arrows and space belong to the position and to playing, until Tab takes the keyboard to the controls; a click or
// Escape gives them back. In an open menu they always move through it.
void Actions::share_keyboard() {
    const bool menu = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (ImGui::IsKeyPressed(ImGuiKey_Tab)) controls_have_keys_ = true;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) controls_have_keys_ = false;
    ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
    if (controls_have_keys_ || menu) flags |= ImGuiConfigFlags_NavEnableKeyboard;
    else flags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    if (!menu) ImGui::SetNavCursorVisible(controls_have_keys_);
    if (controls_have_keys_ && !menu)  // they turn pages, and would move to the last control
        for (const ImGuiKey key : {ImGuiKey_PageUp, ImGuiKey_PageDown})
            ui::own_key(key, ImGui::GetID("pages"));
    if (std::exchange(focus_lost_, false) && controls_have_keys_)
        ui::focus_first_item();  // a panel may take it before the first control does
}

bool Actions::keep_focus() {
    popups_ = ui::open_popups();
    focus_lost_ =
        controls_have_keys_ && ui::keyboard_is_lost() && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    return focus_lost_;
}

bool Actions::repeating() const {
    const auto down = [](int key) {
        return key != 0 && ImGui::IsKeyDown(static_cast<ImGuiKey>(key & ~ImGuiMod_Mask_));
    };
    return std::any_of(table_.begin(), table_.end(), [&](const Action& action) {
        return action.repeats && (down(action.key) || down(action.also[0]) || down(action.also[1]));
    });
}

void Actions::press_keys(unsigned where) {
    if (ImGui::GetIO().WantTextInput) return;
    // A slider that has the keyboard takes these from the pages.
    const bool slides = controls_have_keys_ && ui::focus_owns(ImGuiKey_PageUp);
    const bool closed =
        ui::open_popups() < popups_ && ImGui::IsKeyPressed(ImGuiKey_Escape);  // a popup, by that
    use_up_escape();
    share_keyboard();
    if (closed) return;
    const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    for (const Action& action : table_) {
        if ((popup && !action.over_popups) || (action.where & where) == 0) continue;
        for (const int key : {action.key, action.also[0], action.also[1]}) {
            if (key == 0 || (controls_have_keys_ && moves_controls(key)) || (slides && moves_far(key)))
                continue;
            if (ImGui::GetIO().KeyMods != (key & ImGuiMod_Mask_)) continue;
            const auto one = static_cast<ImGuiKey>(key & ~ImGuiMod_Mask_);
            if (action.held ? ImGui::IsKeyDown(one) : ImGui::IsKeyPressed(one, action.repeats))
                action.perform();
        }
    }
}

}  // namespace posiscope::workbench
