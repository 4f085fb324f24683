#include "app/web/input.hpp"

#include <cfloat>
#include <cmath>
#include <imgui.h>
#include <utility>

namespace posiscope::web {
namespace {

constexpr std::pair<std::string_view, ImGuiKey> kNamed[] = {
    {"Tab", ImGuiKey_Tab},
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"Insert", ImGuiKey_Insert},
    {"Delete", ImGuiKey_Delete},
    {"Backspace", ImGuiKey_Backspace},
    {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"Escape", ImGuiKey_Escape},
    {"NumpadAdd", ImGuiKey_KeypadAdd},
    {"NumpadSubtract", ImGuiKey_KeypadSubtract},
    {"ControlLeft", ImGuiKey_LeftCtrl},
    {"ControlRight", ImGuiKey_RightCtrl},
    {"ShiftLeft", ImGuiKey_LeftShift},
    {"ShiftRight", ImGuiKey_RightShift},
    {"AltLeft", ImGuiKey_LeftAlt},
    {"AltRight", ImGuiKey_RightAlt},
    {"MetaLeft", ImGuiKey_LeftSuper},
    {"MetaRight", ImGuiKey_RightSuper},
};
constexpr std::pair<char, ImGuiKey> kSigns[] = {
    {'\'', ImGuiKey_Apostrophe},  {',', ImGuiKey_Comma},       {'-', ImGuiKey_Minus},
    {'.', ImGuiKey_Period},       {'/', ImGuiKey_Slash},       {';', ImGuiKey_Semicolon},
    {'=', ImGuiKey_Equal},        {'[', ImGuiKey_LeftBracket}, {'\\', ImGuiKey_Backslash},
    {']', ImGuiKey_RightBracket}, {'`', ImGuiKey_GraveAccent}, {' ', ImGuiKey_Space},
};

int after(ImGuiKey first, int steps) { return static_cast<int>(first) + steps; }

// "KeyA", "Digit7", "F12"
int by_place(std::string_view code) {
    if (code.size() == 4 && code.starts_with("Key")) return after(ImGuiKey_A, code[3] - 'A');
    if (code.size() == 6 && code.starts_with("Digit")) return after(ImGuiKey_0, code[5] - '0');
    if (code.size() == 7 && code.starts_with("Numpad") && code[6] >= '0' && code[6] <= '9')
        return after(ImGuiKey_Keypad0, code[6] - '0');
    if (code.size() >= 2 && code.size() <= 3 && code[0] == 'F' && code[1] >= '1' && code[1] <= '9') {
        const int number = code.size() == 2 ? code[1] - '0' : 10 * (code[1] - '0') + (code[2] - '0');
        return number <= 12 ? after(ImGuiKey_F1, number - 1) : 0;
    }
    return 0;
}

}  // namespace

int key_named(std::string_view code, std::string_view key) {
    for (const auto& [name, known] : kNamed)
        if (name == code) return known;
    if (key.size() == 1 && !code.starts_with("Numpad")) {
        const char c = key[0];
        if (c >= 'a' && c <= 'z') return after(ImGuiKey_A, c - 'a');
        if (c >= 'A' && c <= 'Z') return after(ImGuiKey_A, c - 'A');
        if (c >= '0' && c <= '9') return after(ImGuiKey_0, c - '0');
        for (const auto& [sign, known] : kSigns)
            if (sign == c) return known;
    }
    return by_place(code);
}

void Input::move(double x, double y, bool touch) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMouseSourceEvent(touch ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
    io.AddMousePosEvent(static_cast<float>(x) / scale_, static_cast<float>(y) / scale_);
}

void Input::leave() { ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX); }
void Input::press(int button, bool down) { ImGui::GetIO().AddMouseButtonEvent(button, down); }
void Input::wheel(double x, double y) {
    ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
}
// Enlarges around the fingers, like a wheel.
void Input::pinch(double factor) {
    if (factor > 0.0) wheel(0.0, std::log2(factor) * 4.0);
}
void Input::focus(bool focused) { ImGui::GetIO().AddFocusEvent(focused); }
void Input::text(const char* utf8) { take({0, true, 0, utf8}); }

int Input::key(std::string_view code, std::string_view key, bool down, int modifiers) {
    const int named = key_named(code, key);
    if (named != 0) take({named, down, modifiers});
    return named;
}

// Follows the desktop's window: a release after a press waits until the press has had its frame. Typed letters then wait
// behind it: ImGui takes none while it thinks that Ctrl is down.
void Input::take(const Key& key) {
    if (!late_.empty() || (!key.down && pressed_since_frame_)) {
        late_.push_back(key);
        return;
    }
    ImGuiIO& io = ImGui::GetIO();
    if (!key.text.empty()) return io.AddInputCharactersUTF8(key.text.c_str());
    pressed_since_frame_ = pressed_since_frame_ || key.down;
    io.AddKeyEvent(ImGuiMod_Ctrl,
                   (key.modifiers & 9) != 0);  // a Mac's command key does what Ctrl does elsewhere
    io.AddKeyEvent(ImGuiMod_Shift, (key.modifiers & 2) != 0);
    io.AddKeyEvent(ImGuiMod_Alt, (key.modifiers & 4) != 0);
    io.AddKeyEvent(static_cast<ImGuiKey>(key.key), key.down);
}

bool Input::release_late() {
    pressed_since_frame_ = false;
    const std::vector<Key> late = std::exchange(late_, {});
    for (const Key& key : late) take(key);
    return !late.empty();
}

}  // namespace posiscope::web
