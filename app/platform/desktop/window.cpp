#include "app/platform/window.hpp"
#include "app/platform/host.hpp"
#include "app/ui/parts/imgui_internals.hpp"

#include <glad/gl.h>

// After glad, which must come before any other GL header.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cstdlib>
#include <utility>

namespace posiscope::platform {
namespace {

constexpr int kFramesAfterEvent = 3;
// No event says that a picture reached the screen. After one that may have spoilt it (a window manager still resizes the window
// while its first picture is on the way, a compositor takes a new buffer), so many frames and seconds are drawn without
// asking whether they repeat the last.
constexpr int kFramesToTrust = 6;
constexpr double kSecondsToTrust = 1.0;
// A tooltip opens after the mouse has rested; these waits allow it, then the loop sleeps.
constexpr std::array<double, 3> kRestingWaits = {0.2, 0.3, 0.4};

std::string last_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    std::string said = text != nullptr ? text : "";
    while (said.ends_with(' ')) said.pop_back();  // the name of a display that has none
    return said;
}

// A first window is so large in points; it still has to fit on the screen.
void keep_on_screen(GLFWwindow* window) {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    if (monitor == nullptr) return;
    int x = 0, y = 0, room_width = 0, room_height = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &room_width, &room_height);
    glfwGetWindowSize(window, &width, &height);
    if (room_width > 0 && room_height > 0 && (width > room_width || height > room_height))
        glfwSetWindowSize(window, std::min(width, room_width), std::min(height, room_height));
}

// The first one, or the next to it.
GLFWmonitor* monitor_of(bool second) {
    int count = 0;
    GLFWmonitor** const all = glfwGetMonitors(&count);
    return count == 0 ? nullptr : all[second && count > 1 ? 1 : 0];
}

Window& self(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

}  // namespace

Result<std::unique_ptr<Window>> Window::open(const char* title, const Geometry& geometry) {
    spare_driver_threads();
    if (glfwInit() == 0) return no_display("window.no_display", {{"detail", last_error()}});
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "posiscope");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "posiscope");
    // A size that was kept is in what the system counts windows in: pixels, under X11.
    const bool first = geometry.x < 0 && geometry.y < 0;
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, first ? GLFW_TRUE : GLFW_FALSE);
    std::unique_ptr<Window> made(new Window());
    made->window_ = create(title, geometry.width, geometry.height);
    if (made->window_ == nullptr) {
        const std::string detail = last_error();
        glfwTerminate();
        return no_display("gl.too_old", {{"found", detail}});
    }
    glfwSetWindowUserPointer(made->window_, made.get());
    glfwMakeContextCurrent(made->window_);
    if (gladLoadGL(glfwGetProcAddress) == 0) return no_display("gl.no_context", {{"detail", "gladLoadGL"}});
    made->reset_ = ResetWatch(glfwGetProcAddress);
    glfwSwapInterval(1);

    if (first) keep_on_screen(made->window_);
    if (geometry.x >= 0 && geometry.y >= 0) glfwSetWindowPos(made->window_, geometry.x, geometry.y);
    made->windowed_ = geometry;
    glfwGetWindowSize(made->window_, &made->windowed_.width, &made->windowed_.height);
    if (geometry.maximised) glfwMaximizeWindow(made->window_);
    glfwSetWindowSizeLimits(made->window_, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);

    made->gui_ = std::make_unique<Gui>();
    ImGui_ImplGlfw_InitForOpenGL(made->window_, false);
    made->install_callbacks();
    return made;
}

GLFWwindow* Window::create(const char* title, int width, int height) {
    if (GLFWwindow* made = glfwCreateWindow(width, height, title, nullptr, nullptr)) return made;
    // Perhaps because reset notification is not supported.
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_NO_ROBUSTNESS);
    return glfwCreateWindow(width, height, title, nullptr, nullptr);
}

const char* windowing_version() { return glfwGetVersionString(); }

void Window::set_icon(int side, std::span<const std::uint8_t> rgba) {
    if (std::string_view(glfwGetVersionString()).find("Wayland") != std::string_view::npos &&
        std::getenv("WAYLAND_DISPLAY") != nullptr)
        return;  // there the desktop entry names it, and to ask is an error
    std::vector<std::uint8_t> pixels(rgba.begin(), rgba.end());
    const GLFWimage image{side, side, pixels.data()};
    glfwSetWindowIcon(window_, 1, &image);
}

Window::~Window() {
    close_beside();
    if (window_ == nullptr) return;
    if (gui_) {
        make_current();
        frame_ = nullptr;  // with what it has drawn with
        if (owner_ == nullptr) ImGui_ImplGlfw_Shutdown();
        gui_.reset();
    }
    glfwDestroyWindow(window_);
    if (owner_ == nullptr) glfwTerminate();
}

float Window::points(double window_coordinate) const {
    int window_width = 1, frame_width = 1, height = 1;
    glfwGetWindowSize(window_, &window_width, &height);
    glfwGetFramebufferSize(window_, &frame_width, &height);
    return static_cast<float>(window_coordinate * frame_width / std::max(window_width, 1)) / scale_;
}

void Window::install_callbacks() {
    // ImGui's backend translates events; we convert to points and keep a drag alive outside the window.
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
        self(w).frames_due_ = kFramesAfterEvent;
        ImGui_ImplGlfw_CursorPosCallback(w, static_cast<double>(self(w).points(x)),
                                         static_cast<double>(self(w).points(y)));
    });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
        self(w).frames_due_ = kFramesAfterEvent;
        bool held = false;
        for (int button = 0; button < 3; ++button) held = held || glfwGetMouseButton(w, button) == GLFW_PRESS;
        if (entered != 0) ImGui_ImplGlfw_CursorEnterCallback(w, entered);
        else if (!held) ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
        self(w).frames_due_ = kFramesAfterEvent;
        ImGui_ImplGlfw_MouseButtonCallback(w, button, action, mods);
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
        self(w).frames_due_ = kFramesAfterEvent;
        ImGui_ImplGlfw_ScrollCallback(w, x, y);
    });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        self(w).frames_due_ = kFramesAfterEvent;
        self(w).take_key({key, scancode, action, mods});
    });
    glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned character) {
        self(w).frames_due_ = kFramesAfterEvent;
        ImGui_ImplGlfw_CharCallback(w, character);
    });
    glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int focused) {
        self(w).expose();
        ImGui_ImplGlfw_WindowFocusCallback(w, focused);
    });
    install_exposing_callbacks();
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
        self(w).frames_due_ = kFramesAfterEvent;
        self(w).dropped_.insert(self(w).dropped_.end(), paths, paths + count);
    });
    ImGui_ImplGlfw_CursorEnterCallback(window_, 1);
}

// A workspace that is entered shows as one of these too, with each window manager another one.
void Window::install_exposing_callbacks() {
    static constexpr auto expose = [](GLFWwindow* w) { self(w).expose(); };
    glfwSetWindowRefreshCallback(window_, expose);
    glfwSetWindowPosCallback(window_, [](GLFWwindow* w, int, int) { expose(w); });
    glfwSetWindowIconifyCallback(window_, [](GLFWwindow* w, int) { expose(w); });
    glfwSetWindowMaximizeCallback(window_, [](GLFWwindow* w, int) { expose(w); });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { expose(w); });
    glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* w, float, float) { expose(w); });
}

void Window::expose() {
    frames_due_ = kFramesAfterEvent;
    if (owner_ != nullptr) owner_->frames_due_ = kFramesAfterEvent;  // its loop draws both
    frames_to_trust_ = kFramesToTrust;
    trusted_from_ = glfwGetTime() + kSecondsToTrust;
}

Result<void> Window::set_clipboard(const char* text) {
    glfwGetError(nullptr);
    glfwSetClipboardString(window_, text);
    if (glfwGetError(nullptr) != GLFW_NO_ERROR) return refuse("clipboard.none");
    return {};
}

void Window::wake() {
    woken_ = true;
    glfwPostEmptyEvent();
}

// After a slow frame, a whole "Ctrl Z" may be queued. ImGui would see Ctrl released in the frame in which Z is pressed
// and lose the chord, so a release after a press waits until the press has had its frame.
void Window::take_key(Key key) {
    if (!late_keys_.empty() || (key.action == GLFW_RELEASE && pressed_since_frame_)) {
        late_keys_.push_back(key);
        return;
    }
    pressed_since_frame_ = pressed_since_frame_ || key.action == GLFW_PRESS;
    ImGui_ImplGlfw_KeyCallback(window_, key.key, key.scancode, key.action, key.mods);
    if (!key.beside) return;  // else the backend has asked a window without the keyboard for these
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, (key.mods & GLFW_MOD_CONTROL) != 0);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Shift, (key.mods & GLFW_MOD_SHIFT) != 0);
}

void Window::draw(const std::function<Next(float)>& frame, const Scale& scale) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width < 1 || height < 1) return;  // minimised
    float monitor_scale = 1.0F, ignored = 1.0F;
    glfwGetWindowContentScale(window_, &monitor_scale, &ignored);
    scale_ = scale(width, height, monitor_scale);

    const double now = glfwGetTime();
    const auto seconds = static_cast<float>(std::max(now - last_time_, 1e-4));
    last_time_ = now;
    if (owner_ == nullptr) ImGui_ImplGlfw_NewFrame();
    gui_->begin(width, height, scale_, seconds);
    next_ = frame(seconds);
    const bool trusted = frames_to_trust_ <= 0 && now >= trusted_from_;
    if (frames_to_trust_ > 0) --frames_to_trust_;
    shown_ = !gui_->finish() || !trusted || ground_ != drawn_ground_;
    if (!shown_) return;
    drawn_ground_ = ground_;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glDisable(GL_SCISSOR_TEST);
    const auto channel = [&](int shift) { return static_cast<float>((ground_ >> shift) & 0xffU) / 255.0F; };
    glClearColor(channel(0), channel(8), channel(16), 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    gui_->draw();
    glfwSwapBuffers(window_);
    problem_ = reset_.lost();
    if (problem_) next_ = Next::close;
    else if (glGetError() == GL_OUT_OF_MEMORY && !std::exchange(was_short_, true)) {
        shortage_ = Problem{"gl.memory", {}, Cause::display};
        frames_due_ = std::max(frames_due_, 1);  // in which it is said
    }
}

void Window::run(const std::function<Next(float)>& frame, const Scale& scale) {
    last_time_ = glfwGetTime();
    glfwShowWindow(window_);
    expose();
    std::size_t rested = 0;
    while (glfwWindowShouldClose(window_) == 0 && next_ != Next::close) {
        if (next_ == Next::animate || frames_due_ > 0) {
            // A picture that is shown waits for the screen; one that repeats the last must not spin instead.
            if (shown_ || frames_due_ > 0) glfwPollEvents();
            else glfwWaitEventsTimeout(1.0 / 60.0);
        } else if (next_ == Next::blink) {
            glfwWaitEventsTimeout(0.3);
        } else if (rested < kRestingWaits.size()) {
            glfwWaitEventsTimeout(kRestingWaits[rested++]);
        } else {
            glfwWaitEvents();
            if (woken_.exchange(false)) frames_due_ = kFramesAfterEvent;
            if (frames_due_ == 0) continue;  // woken by an event that changes nothing visible
        }
        if (frames_due_ > 0) {
            --frames_due_;
            rested = 0;
        }
        draw(frame, scale);
        draw_beside_if_due();
        pressed_since_frame_ = false;
        const std::vector<Key> late = std::exchange(late_keys_, {});
        for (const Key& key : late) take_key(key);
        // ImGui takes some events one a frame too; none of them waits for the next one to come.
        if (!late.empty() || ui::events_wait()) frames_due_ = std::max(frames_due_, 1);
    }
}

Geometry Window::geometry() const {
    Geometry now;
    now.maximised = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
    if (now.maximised || glfwGetWindowMonitor(window_) != nullptr) {
        Geometry kept = windowed_;
        kept.maximised = now.maximised;
        return kept;
    }
    glfwGetWindowPos(window_, &now.x, &now.y);
    glfwGetWindowSize(window_, &now.width, &now.height);
    return now;
}

bool Window::full_screen() const { return glfwGetWindowMonitor(window_) != nullptr; }

void Window::toggle_full_screen() {
    if (full_screen()) {
        glfwSetWindowMonitor(window_, nullptr, std::max(before_full_screen_.x, 0),
                             std::max(before_full_screen_.y, 0), before_full_screen_.width,
                             before_full_screen_.height, GLFW_DONT_CARE);
        if (before_full_screen_.maximised) glfwMaximizeWindow(window_);
        return;
    }
    before_full_screen_ = windowed_ = geometry();
    fill_screen();
}

int Window::monitors() {
    int count = 0;
    glfwGetMonitors(&count);
    return count;
}

void Window::fill_screen() {
    GLFWmonitor* const monitor = beside_ ? monitor_of(!swapped_) : glfwGetPrimaryMonitor();
    const GLFWvidmode* const mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr) return;
    if (beside_) {  // many window managers fill the monitor that the window is on, and hear of no other
        int x = 0, y = 0;
        glfwGetMonitorPos(monitor, &x, &y);
        glfwRestoreWindow(window_);
        glfwSetWindowMonitor(window_, nullptr, x + mode->width / 4, y + mode->height / 4, mode->width / 2,
                             mode->height / 2, GLFW_DONT_CARE);
    }
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::make_current() {
    glfwMakeContextCurrent(window_);
    gui_->make_current();
}

void Window::open_beside(const char* title, const std::function<std::function<void()>()>& make, Scale scale) {
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
    std::unique_ptr<Window> made(new Window());
    made->owner_ = this;
    made->window_ = create(title, 960, 600);
    if (made->window_ == nullptr) return;
    glfwSetWindowUserPointer(made->window_, made.get());
    glfwSetWindowSizeLimits(made->window_, 480, 300, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(made->window_);
    glfwSwapInterval(0);  // the loop waits for the other window's screen
    made->gui_ = std::make_unique<Gui>();
    made->frame_ = [frame = make()](float) { return frame(), Next::wait; };
    made->scale_of_ = std::move(scale);
    made->install_exposing_callbacks();
    glfwSetKeyCallback(made->window_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        Window& owner = *self(w).owner_;
        owner.frames_due_ = kFramesAfterEvent;
        owner.take_key({key, scancode, action, mods, true});
    });
    beside_ = std::move(made);
    make_current();
    // Else the slide would go while the lecturer's window has the keyboard.
    glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, GLFW_FALSE);
    place_beside();
    glfwShowWindow(beside_->window_);
    beside_->expose();
}

void Window::close_beside() {
    if (!beside_) return;
    beside_.reset();
    make_current();
    late_keys_.clear();
    ImGui::GetIO().ClearInputKeys();  // a key that is down there would never be let go
    glfwSetWindowAttrib(window_, GLFW_AUTO_ICONIFY, GLFW_TRUE);
}

void Window::draw_beside() {
    beside_->frames_due_ = 2;  // ImGui lays out in the first
    frames_due_ = std::max(frames_due_, 1);
}

bool Window::beside_left() const { return beside_ && glfwWindowShouldClose(beside_->window_) != 0; }

void Window::place_beside() {
    if (monitors() < 2) return;
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(monitor_of(swapped_), &x, &y, &width, &height);
    glfwRestoreWindow(beside_->window_);  // a maximised one stays on its monitor
    glfwSetWindowPos(beside_->window_, x + width / 10, y + height / 10);
    glfwSetWindowSize(beside_->window_, width * 8 / 10, height * 8 / 10);
    glfwMaximizeWindow(beside_->window_);
}

void Window::swap_screens() {
    if (!beside_ || monitors() < 2) return;
    swapped_ = !swapped_;
    if (full_screen()) fill_screen();
    place_beside();
}

void Window::draw_beside_if_due() {
    if (!beside_) return;
    Window& other = *beside_;
    const bool trusted = other.frames_to_trust_ <= 0 && glfwGetTime() >= other.trusted_from_;
    if (other.frames_due_ <= 0 && trusted) return;
    if (other.frames_due_ > 0) --other.frames_due_;
    if (other.frames_due_ > 0) frames_due_ = std::max(frames_due_, 1);
    other.make_current();
    other.draw(other.frame_, other.scale_of_);
    make_current();
}

}  // namespace posiscope::platform

namespace posiscope::platform {
namespace {

// GL_KHR_robustness, which is not among what is loaded.
constexpr unsigned kNoError = 0, kGuilty = 0x8253, kInnocent = 0x8254;

}  // namespace

ResetWatch::ResetWatch(Function (*find)(const char* name)) {
    for (const char* name :
         {"glGetGraphicsResetStatus", "glGetGraphicsResetStatusKHR", "glGetGraphicsResetStatusARB"})
        if (status_ == nullptr) status_ = reinterpret_cast<Status>(find(name));
}

std::optional<Problem> ResetWatch::lost() const {
    const unsigned status = status_ == nullptr ? kNoError : status_();
    if (status == kNoError) return std::nullopt;
    return Problem{"gl.lost",
                   {{"cause", status == kGuilty     ? "ours"
                              : status == kInnocent ? "other"
                                                    : "unknown"}},
                   Cause::display};
}

}  // namespace posiscope::platform
