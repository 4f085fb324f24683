#include "tests/workbench/monkey/monkey.hpp"

#include "app/workbench/window/benches.hpp"

#include <algorithm>
#include <imgui.h>

namespace posiscope::monkey {
namespace {

using Kind = Event::Kind;

constexpr const char* kTyped[] = {"0", "-1", "12",   "500",          "1e9", "1e999",         "nan",
                                  "-", "",   "2^31", "0x10",         "3.5", "dog bites man", "狗 咬 人",
                                  "a", "{}", "🦀", "999999999999", "64",  "1/3",           "rope"};
constexpr const char* kClips[] = {R"({"pair": 3})",
                                  R"({"base": 1e18, "length": 2147483647})",
                                  "{",
                                  "",
                                  R"({"view": {"matrix": {"rows": [0.5, 1e9]}}})",
                                  R"({"encoding": "alibi"})",
                                  R"({"compare": {"base": 2}})",
                                  R"({"content": {"kind": "tokens", "text": ["a", "b"]}})"};

}  // namespace

Point Monkey::anywhere(const Player& player) {
    const Point size = player.size();
    // Sometimes outside: a drag goes on there.
    const float grow = once_in(8) ? 0.3F : 0.0F;
    return {(part() * (1.0F + 2.0F * grow) - grow) * size.x, (part() * (1.0F + 2.0F * grow) - grow) * size.y};
}

// A handle, a control, a tile, or anywhere.
Point Monkey::something(const Player& player) {
    const workbench::Seen& seen = player.bench().stage.seen;
    switch (random_.below(4)) {
        case 0:
            if (!seen.handles.empty()) return random_.one_of(seen.handles).at;
            break;
        case 1:
            if (!seen.controls.empty()) {
                const Rect area = random_.one_of(seen.controls).area;
                return {area.x0 + part() * area.width(), area.y0 + part() * area.height()};
            }
            break;
        case 2:
            if (const auto& tiles = player.bench().layout.tiles(); !tiles.empty()) {
                const Rect area = random_.one_of(tiles).area;
                // Along the top there are the title, the mode and the menu.
                const float y = once_in(3) ? 16.0F : part() * area.height();
                const float x = once_in(4) ? area.width() - 20.0F : part() * area.width();
                return {area.x0 + x, area.y0 + y};
            }
            break;
        default: break;
    }
    return anywhere(player);
}

Scene Monkey::scene() {
    Scene made = random_.next();
    // Most windows show what people look at; what wide ones cost is asked by the law of the frame.
    if (!once_in(6) && (made.d_model > 1024 || made.num_heads > 64 || head_dim(made) > 1024)) {
        Json partial{{"encoding", made.encoding.kind}, {"d_model", 64}, {"num_heads", 4}};
        if (auto laid = overlay(Scene(), partial)) made = std::move(laid->scene);
    }
    made.bench = random_.one_of(workbench::benches()).id;
    return made;
}

void Monkey::resize(const Do& play) {
    static constexpr float kScales[] = {1.0F, 1.0F, 1.25F, 1.5F, 2.0F, 3.0F};
    static constexpr Point kSizes[] = {
        {1280.0F, 800.0F}, {1920.0F, 1080.0F}, {640.0F, 400.0F}, {320.0F, 240.0F}};
    Point size = random_.one_of(kSizes);
    if (once_in(2)) size = {std::round(200.0F + 2000.0F * part()), std::round(150.0F + 1300.0F * part())};
    play({.kind = Kind::size, .x = size.x, .y = size.y, .z = random_.one_of(kScales)});
}

void Monkey::begin(const Do& play) {
    play({.kind = Kind::language, .text = once_in(2) ? "en" : "zh"});
    play({.kind = Kind::size, .x = 1280.0F, .y = 800.0F, .z = 1.0F});
    play({.kind = Kind::start, .text = once_in(4) ? "{}" : to_partial_json(scene()).dump()});
    if (once_in(3)) resize(play);
}

void Monkey::drag(const Player& player, const Do& play) {
    const Point from = something(player);
    Point to = once_in(2) ? anywhere(player)
                          : Point{from.x + 80.0F * part() - 40.0F, from.y + 80.0F * part() - 40.0F};
    if (once_in(30)) to = {30000.0F, -30000.0F};  // as far as a display goes
    play({.kind = Kind::move, .x = from.x, .y = from.y});
    play({.kind = Kind::press});
    const int pieces = 1 + static_cast<int>(random_.below(4));
    for (int i = 1; i <= pieces; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(pieces);
        play({.kind = Kind::move, .x = from.x + t * (to.x - from.x), .y = from.y + t * (to.y - from.y)});
    }
    if (once_in(12)) play({.kind = Kind::key, .key = ImGuiKey_Escape});
    play({.kind = Kind::release});
}

// Into what a double click opens, or wherever the keyboard is.
void Monkey::type(const Player& player, const Do& play) {
    const Point at = something(player);
    play({.kind = Kind::move, .x = at.x, .y = at.y});
    for (int i = 0; i < 2; ++i) {
        play({.kind = Kind::press});
        play({.kind = Kind::release});
    }
    if (once_in(2)) play({.kind = Kind::key, .key = ImGuiMod_Ctrl | ImGuiKey_A});
    play({.kind = Kind::type, .text = random_.one_of(kTyped)});
    static constexpr int kEnds[] = {ImGuiKey_Enter, ImGuiKey_Enter, ImGuiKey_Escape, ImGuiKey_Tab};
    play({.kind = Kind::key, .key = random_.one_of(kEnds)});
}

void Monkey::press_key(const Player& player, const Do& play) {
    static constexpr int kOthers[] = {ImGuiKey_Enter, ImGuiKey_Tab, ImGuiKey_Escape, ImGuiKey_Backspace,
                                      ImGuiKey_Home};
    const auto actions = player.bench().actions().list();
    const panels::Action& action = actions[random_.below(actions.size())];
    const bool other = action.key == 0 || once_in(12);
    const int key = other ? random_.one_of(kOthers) : action.key;
    const int times = once_in(6) ? 8 : 1;
    for (int i = 0; i < times; ++i) play({.kind = Kind::key, .key = key});
}

void Monkey::act(const Player& player, const Do& play) {
    const auto click = [&](int button, Point at) {
        play({.kind = Kind::move, .x = at.x, .y = at.y});
        play({.kind = Kind::press, .key = button});
        play({.kind = Kind::release, .key = button});
    };
    switch (random_.below(20)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4: drag(player, play); return;
        case 5:
        case 6:
        case 7: click(0, something(player)); return;
        case 8: type(player, play); return;
        case 9: {  // a menu, and what stands in it
            const Point at = something(player);
            click(1, at);
            click(0, {at.x + 20.0F + 150.0F * part(), at.y + 250.0F * part()});
            return;
        }
        case 10: {
            const Point at = something(player);
            play({.kind = Kind::move, .x = at.x, .y = at.y});
            play({.kind = Kind::wheel, .x = std::round(8.0F * part()) - 4.0F});
            return;
        }
        case 11: resize(play); return;
        case 12: {
            std::string names = random_.one_of(files_);
            if (once_in(5)) names += "\t" + random_.one_of(files_);
            play({.kind = Kind::drop, .text = names});
            return;
        }
        case 13:
            play({.kind = Kind::clip, .text = random_.one_of(kClips)});
            play({.kind = Kind::key, .key = ImGuiMod_Ctrl | ImGuiKey_V});
            return;
        case 14:  // B alone while it is held
            play({.kind = Kind::down, .key = ImGuiKey_Backslash});
            drag(player, play);
            play({.kind = Kind::up, .key = ImGuiKey_Backslash});
            return;
        case 15: play({.kind = Kind::frames, .x = static_cast<float>(1 + random_.below(20))}); return;
        case 16: {
            const Point at = something(player);
            play({.kind = Kind::move, .x = at.x, .y = at.y});
            return;
        }
        default: press_key(player, play);
    }
}

}  // namespace posiscope::monkey
