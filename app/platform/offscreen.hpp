// offscreen.hpp — an OpenGL 3.3 context without a window: tests, exports, machines without a display.
// EGL is loaded on demand, so that a program with a window starts without it.
#pragma once

#include "core/problem.hpp"

#include <memory>
#include <string>

namespace posiscope::platform {

// How many contexts the process has at a time. The only one takes its display along, and with it the driver's threads,
// which otherwise run while the process exits: LeakSanitizer stops all threads then, and crashed on one of them.
enum class Contexts { only, several };

class Offscreen {
public:
    // Tries Mesa's surfaceless platform, then every device (NVIDIA's among them), then the default display; the
    // context is current and GL is loaded.  Refused with
    //   gl.no_egl      library     libEGL.so.1 is not installed
    //   gl.egl_not_loaded  detail  it is, but does not load: no descriptor is left, say
    //   gl.no_context  detail      no driver made a context (Debian: libgl1-mesa-dri)
    //   gl.too_old     found       there is OpenGL, but not 3.3
    static Result<Offscreen> create(Contexts contexts = Contexts::several);

    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;
    Offscreen(Offscreen&&) noexcept;
    Offscreen& operator=(Offscreen&&) noexcept;
    ~Offscreen();

    void make_current();
    std::string renderer() const;  // "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string platform() const;  // "surfaceless", "device", "default"

private:
    struct State;
    explicit Offscreen(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace posiscope::platform
