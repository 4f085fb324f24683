#include "tests/workbench/monkey/script.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <imgui.h>
#include <istream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace posiscope::monkey {
namespace {

using Kind = Event::Kind;

constexpr std::array<std::string_view, 16> kNames = {
    "start", "size", "language", "move", "press", "release", "wheel", "key",
    "down",  "up",   "type",     "clip", "drop",  "frames",  "mark",  "undo"};
constexpr std::pair<int, std::string_view> kMods[] = {
    {ImGuiMod_Ctrl, "Ctrl+"}, {ImGuiMod_Shift, "Shift+"}, {ImGuiMod_Alt, "Alt+"}};

std::string key_text(int chord) {
    std::string text;
    for (const auto& [mod, name] : kMods)
        if ((chord & mod) != 0) text += name;
    return text + ImGui::GetKeyName(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_));
}

int key_of(std::string_view text) {
    int chord = 0;
    for (const auto& [mod, name] : kMods)
        if (text.starts_with(name)) chord |= mod, text.remove_prefix(name.size());
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key)
        if (text == ImGui::GetKeyName(static_cast<ImGuiKey>(key))) return chord | key;
    throw std::runtime_error("no key is called " + std::string(text));
}

// In one line, whatever is in it.
std::string escaped(std::string_view text) {
    std::string line;
    for (const char c : text)
        if (c == '\n') line += "\\n";
        else if (c == '\\') line += "\\\\";
        else line += c;
    return line;
}
std::string unescaped(std::string_view line) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i)
        if (line[i] != '\\' || i + 1 == line.size()) text += line[i];
        else text += line[++i] == 'n' ? '\n' : line[i];
    return text;
}

}  // namespace

std::string line_of(const Event& event) {
    const std::string_view name = kNames[static_cast<std::size_t>(event.kind)];
    switch (event.kind) {
        case Kind::size: return fmt::format("{} {} {} {}", name, event.x, event.y, event.z);
        case Kind::move: return fmt::format("{} {} {}", name, event.x, event.y);
        case Kind::mark: return std::string(name);
        case Kind::wheel:
        case Kind::undo:
        case Kind::frames: return fmt::format("{} {}", name, event.x);
        case Kind::press:
        case Kind::release: return fmt::format("{} {}", name, event.key);
        case Kind::key:
        case Kind::down:
        case Kind::up: return fmt::format("{} {}", name, key_text(event.key));
        default: return fmt::format("{} {}", name, escaped(event.text));
    }
}

std::vector<Event> read_script(std::istream& in) {
    std::vector<Event> events;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        const std::string_view whole(line);
        const std::size_t space = std::min(whole.find(' '), whole.size());
        const auto name = std::find(kNames.begin(), kNames.end(), whole.substr(0, space));
        if (name == kNames.end()) throw std::runtime_error("not an event: " + line);
        Event event{.kind = static_cast<Kind>(name - kNames.begin())};
        const std::string rest(whole.substr(std::min(space + 1, whole.size())));
        std::istringstream numbers(rest);
        switch (event.kind) {
            case Kind::size:
            case Kind::move:
            case Kind::wheel:
            case Kind::undo:
            case Kind::frames: numbers >> event.x >> event.y >> event.z; break;
            case Kind::press:
            case Kind::release: numbers >> event.key; break;
            case Kind::key:
            case Kind::down:
            case Kind::up: event.key = key_of(rest); break;
            default: event.text = unescaped(rest);
        }
        events.push_back(std::move(event));
    }
    return events;
}

}  // namespace posiscope::monkey
