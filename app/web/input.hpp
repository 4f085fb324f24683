// input.hpp — what the browser says of mouse, touch and keys, in Dear ImGui's words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace posiscope::web {

class Input {
public:
    // The pixels per point of the last frame: positions come in pixels.
    void set_scale(float pixels_per_point) { scale_ = pixels_per_point; }

    void move(double x, double y, bool touch);
    void leave();
    void press(int button, bool down);
    void wheel(double x, double y);
    void pinch(double factor);
    void focus(bool focused);
    void text(const char* utf8);
    // The key's ImGuiKey, 0 where ImGui has none.
    int key(std::string_view code, std::string_view key, bool down, int modifiers);

    // After a frame: what had to wait for it. True if there was any.
    bool release_late();

private:
    // A key, or what was typed.
    struct Key {
        int key;
        bool down;
        int modifiers;
        std::string text = {};
    };
    void take(const Key& key);

    float scale_ = 1.0F;
    bool pressed_since_frame_ = false;
    std::vector<Key> late_;
};

// The ImGuiKey of a key of the browser, by what is written on it, else by its place; 0: none.
int key_named(std::string_view code, std::string_view key);

}  // namespace posiscope::web
