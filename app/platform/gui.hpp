// gui.hpp — one Dear ImGui context that draws with OpenGL, for a window or without one.
// ImGui's unit is the point: a monitor's or a person's scale only says how many pixels a point has.
#pragma once

struct ImGuiContext;

namespace posiscope::platform {

class Gui {
public:
    // The GL context must be current. `with_gl` false: no renderer, for tests of what the interface does.
    explicit Gui(bool with_gl = true);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    void make_current();

    // One frame of width × height pixels. Between them the interface is drawn.
    void begin(int width, int height, float pixels_per_point, float seconds);
    void end();  // draws into the bound framebuffer
    // Of the frame only these pixels, into a framebuffer of that size.
    void end(int x, int y, int width, int height);
    void skip();  // draws nothing: what was laid out is only remembered

private:
    bool with_gl_;
    ImGuiContext* context_;
    ImGuiContext* before_;
};

}  // namespace posiscope::platform
