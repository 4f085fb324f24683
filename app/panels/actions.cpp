#include "app/panels/actions.hpp"

#include <algorithm>
#include <imgui.h>
#include <stdexcept>

namespace posiscope::panels {
namespace {

constexpr int kBrowsers[] = {
    ImGuiMod_Ctrl | ImGuiKey_PageUp,
    ImGuiMod_Ctrl | ImGuiKey_PageDown,
    ImGuiMod_Ctrl | ImGuiKey_Q,
    ImGuiMod_Ctrl | ImGuiKey_W,
    ImGuiMod_Ctrl | ImGuiKey_T,
    ImGuiMod_Ctrl | ImGuiKey_N,
    ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_W,
    ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_T,
    ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_N,
    ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P,  // Firefox
    ImGuiMod_Ctrl | ImGuiKey_Equal,
    ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Equal,
    ImGuiMod_Ctrl | ImGuiKey_KeypadAdd,
    ImGuiMod_Ctrl | ImGuiKey_Minus,
    ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract,
    ImGuiMod_Ctrl | ImGuiKey_0,
    ImGuiMod_Ctrl | ImGuiKey_R,
    ImGuiKey_F5,
    ImGuiKey_F11,
};

constexpr int kRemotes[] = {ImGuiKey_PageUp, ImGuiKey_PageDown, ImGuiKey_F5,
                            ImGuiKey_Escape, ImGuiKey_Period,   ImGuiKey_B};

}  // namespace

bool browser_keeps(int key) {
    return std::find(std::begin(kBrowsers), std::end(kBrowsers), key) != std::end(kBrowsers);
}
bool remotes_send(int key) {
    return std::find(std::begin(kRemotes), std::end(kRemotes), key) != std::end(kRemotes);
}

const Action& find_action(std::span<const Action> actions, std::string_view id) {
    for (const Action& action : actions)
        if (action.id == id) return action;
    throw std::logic_error("no action " + std::string(id));
}

std::string_view action_name(const ui::Look& look, const Action& action) {
    return look.text(look.scratch->format("action.{}", action.id));
}

std::string_view key_text(const ui::Look& look, int chord) {
    if (chord == 0) return {};
    constexpr std::pair<int, std::string_view> labels[] = {
        {ImGuiKey_LeftArrow, "←"},   {ImGuiKey_RightArrow, "→"},  {ImGuiKey_UpArrow, "↑"},
        {ImGuiKey_DownArrow, "↓"},   {ImGuiKey_LeftBracket, "["}, {ImGuiKey_RightBracket, "]"},
        {ImGuiKey_Equal, "+"},       {ImGuiKey_Minus, "−"},       {ImGuiKey_PageUp, "PgUp"},
        {ImGuiKey_PageDown, "PgDn"}, {ImGuiKey_Escape, "Esc"},
    };
    const int key = chord & ~ImGuiMod_Mask_;
    std::string_view name = ImGui::GetKeyName(static_cast<ImGuiKey>(key));
    for (const auto& [known, label] : labels)
        if (known == key) name = label;
    return look.scratch->format("{}{}{}", (chord & ImGuiMod_Ctrl) != 0 ? "Ctrl " : "",
                                (chord & ImGuiMod_Shift) != 0 ? "Shift " : "", name);
}

}  // namespace posiscope::panels
