// gui.hpp — one Dear ImGui context that draws with OpenGL, for a window or off screen.
// ImGui's unit is the point: the monitor's and the user's scale set the pixels per point.
#pragma once

#include "app/platform/last_frame.hpp"

struct ImGuiContext;

namespace posiscope::platform {

class Gui {
public:
    // The GL context must be current. `with_gl` false: no renderer, for tests of the interface.
    explicit Gui(bool with_gl = true);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    void make_current();

    // One frame of width × height pixels. Draw the interface between begin and end.
    void begin(int width, int height, float pixels_per_point, float seconds);
    void end();  // draws into the bound framebuffer
    // The same in two steps. finish() returns whether draw() would repeat the image that it drew last: if the framebuffer
    // still has that image, there is no need to draw.
    bool finish();
    void draw();
    // Draws only this part of the frame, into a framebuffer of its size.
    void end(int x, int y, int width, int height);
    void skip();  // draws nothing: only keeps the layout

private:
    void show(int x, int y, int width, int height);  // these pixels of the frame

    bool with_gl_;
    ImGuiContext* context_;
    ImGuiContext* before_;
    LastFrame last_frame_;
    float scale_ = 0.0F;  // pixels per point of the frame before; 0: there was none
};

}  // namespace posiscope::platform
