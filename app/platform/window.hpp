// window.hpp — the window: GLFW, its OpenGL context, and the mouse and keys in points.
// Sleeps until an event; draws a few frames after each so that animations can finish.
#pragma once

#include "app/platform/gui.hpp"
#include "core/problem.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Detects a lost OpenGL context: a card that hung, was removed or was suspended too long. All GL objects are
// gone then, and the program ends in order. Does nothing on drivers without the extension.
// Creating the objects again would be a second path into everything that OpenGL holds; the session is saved instead.
namespace posiscope::platform {

class ResetWatch {
public:
    using Function = void (*)();

    ResetWatch() = default;
    // `find` gives a GL function by its name, or null. The context must be current.
    explicit ResetWatch(Function (*find)(const char* name));

    // gl.lost, if the context is lost. Cheap enough for every frame.
    std::optional<Problem> lost() const;

private:
    using Status = unsigned (*)();
    Status status_ = nullptr;
};

}  // namespace posiscope::platform

struct GLFWwindow;

namespace posiscope::platform {

struct Geometry {
    int x = -1, y = -1;
    int width = 1280, height = 800;
    bool maximised = false;
};

// "3.3.8 X11 GLX EGL OSMesa": of the library that opens windows, and what it was built for.
const char* windowing_version();

class Window {
public:
    // Refused with window.no_display (detail), gl.too_old or gl.no_context; all mean exit code 3.
    static Result<std::unique_ptr<Window>> open(const char* title, const Geometry& geometry);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    // The wait that a frame asks for after it.
    enum class Next { wait, blink, animate, close };  // blink: a caret, a few times a second
    // The pixels per point of a window of so many pixels on a monitor of such a scale.
    using Scale = std::function<float(int width, int height, float monitor_scale)>;
    // Calls `frame` whenever there is something to draw.
    void run(const std::function<Next(float seconds)>& frame, const Scale& scale);

    // The reason if it ended by itself: gl.lost. Nothing more can be drawn then.
    const std::optional<Problem>& problem() const { return problem_; }
    // gl.memory, once: the driver had no memory for something that a frame asked for, and went on without.
    std::optional<Problem> take_shortage() { return std::exchange(shortage_, std::nullopt); }

    Gui& gui() { return *gui_; }
    float pixels_per_point() const { return scale_; }
    Geometry geometry() const;
    bool full_screen() const;
    void toggle_full_screen();

    // A second window in the same loop, on the other monitor where there is one: this one's full screen is then the second
    // monitor's, a projector's. It has a context and a Gui of its own and no mouse; its keys are this one's. `make` is called
    // in these: what it returns draws a frame after draw_beside(), and is destroyed with the window.
    void open_beside(const char* title, const std::function<std::function<void()>()>& make, Scale scale);
    void close_beside();
    bool has_beside() const { return beside_ != nullptr; }
    bool beside_left() const;  // somebody has closed it
    void draw_beside();
    void swap_screens();
    static int monitors();
    // A square, four bytes a pixel. Where the desktop takes an icon from its entry, this changes nothing.
    void set_icon(int side, std::span<const std::uint8_t> rgba);
    // Files dropped on the window since the last call.
    std::vector<std::string> take_dropped() { return std::exchange(dropped_, {}); }
    // Refused with clipboard.none if the desktop offers none.
    Result<void> set_clipboard(const char* text);
    void wake();                                                 // from any thread: a frame is due
    void set_ground(std::uint32_t colour) { ground_ = colour; }  // what the frame is cleared to, 0xAABBGGRR

private:
    Window() = default;
    static GLFWwindow* create(const char* title, int width, int height);
    void install_callbacks();
    void install_exposing_callbacks();
    struct Key {
        int key, scancode, action, mods;
        bool beside = false;  // pressed in the other window
    };
    void take_key(Key key);
    void expose();  // the screen may have lost the picture
    void draw(const std::function<Next(float)>& frame, const Scale& scale);
    void draw_beside_if_due();
    void make_current();
    void fill_screen();
    void place_beside();
    float points(double window_coordinate) const;

    GLFWwindow* window_ = nullptr;
    std::unique_ptr<Gui> gui_;
    ResetWatch reset_;
    std::optional<Problem> problem_, shortage_;
    bool was_short_ = false;
    std::uint32_t ground_ = 0xff000000U, drawn_ground_ = 0;
    int frames_to_trust_ = 0;    // frames and
    double trusted_from_ = 0.0;  // time from which the screen is trusted to have what was drawn
    bool shown_ = false;         // the last frame, since it differed from what is on the screen
    float scale_ = 1.0F;
    double last_time_ = 0.0;
    int frames_due_ = 3;
    Next next_ = Next::wait;
    bool pressed_since_frame_ = false;
    std::vector<Key> late_keys_;
    std::vector<std::string> dropped_;
    std::atomic<bool> woken_ = false;
    Geometry before_full_screen_;
    Geometry windowed_;  // as it was before it was maximised
    // The window beside, and what it has itself: its owner, its frame, and its scale.
    std::unique_ptr<Window> beside_;
    Window* owner_ = nullptr;
    std::function<Next(float)> frame_;
    Scale scale_of_;
    bool swapped_ = false;  // the slide is on the first monitor
};

}  // namespace posiscope::platform
