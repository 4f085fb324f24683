#include "app/platform/clipboard.hpp"

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace posiscope::platform {

std::array<std::vector<std::string>, 2> clipboard_commands(bool wayland) {
    std::array<std::vector<std::string>, 2> commands = {
        {{"wl-copy", "--type", "image/png"}, {"xclip", "-selection", "clipboard", "-t", "image/png", "-i"}}};
    if (!wayland) std::swap(commands[0], commands[1]);
    return commands;
}

Result<void> PictureClipboard::copy(std::string_view png) {
    const char* display = std::getenv("WAYLAND_DISPLAY");
    const bool wayland = display != nullptr && *display != '\0';
    for (const auto& command : clipboard_commands(wayland)) {
        name_ = command.front();
        // It keeps running to serve the image, so its output is not read to the end.
        const int error = program_.start(command, Process::Hear::nothing, png);
        if (error == 0) return {};
        if (error != ENOENT) return refuse("clipboard.failed", {{"program", name_}});
    }
    return refuse("clipboard.no_program", {{"package", wayland ? "wl-clipboard" : "xclip"}});
}

std::optional<Result<void>> PictureClipboard::take() {
    const auto ended = program_.take();
    if (!ended) return std::nullopt;
    if (!ended->well) return Result<void>(refuse("clipboard.failed", {{"program", name_}}));
    return Result<void>();
}

}  // namespace posiscope::platform
