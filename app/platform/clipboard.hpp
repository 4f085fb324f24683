// clipboard.hpp — puts an image on the clipboard. GLFW supports only text, so a program serves it: wl-copy on Wayland,
// xclip on X11.
// Serving an X selection ourselves would need a second connection to the display, and would end with the program.
#pragma once

#include "app/platform/process.hpp"
#include "core/problem.hpp"

#include <array>

namespace posiscope::platform {

class PictureClipboard {
public:
    // `wake` is called from another thread when it is done.
    explicit PictureClipboard(std::function<void()> wake) : program_(std::move(wake)) {}

    // Refused with clipboard.no_program if neither is installed.
    Result<void> copy(std::string_view png);

    // The outcome, once.
    std::optional<Result<void>> take();

private:
    Process program_;
    std::string name_;
};

// The commands to try, the desktop's own first.
std::array<std::vector<std::string>, 2> clipboard_commands(bool wayland);

}  // namespace posiscope::platform
