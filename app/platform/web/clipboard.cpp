#include "app/platform/clipboard.hpp"

#include "app/platform/web/page.hpp"

namespace posiscope::platform {

std::array<std::vector<std::string>, 2> clipboard_commands(bool) { return {}; }

Result<void> PictureClipboard::copy(std::string_view png) {
    page_copy_picture(png.data(), png.size());
    return {};
}

std::optional<Result<void>> PictureClipboard::take() {
    const int copied = page_picture_copied();
    if (copied < 0) return std::nullopt;
    if (copied == 0) return Result<void>(refuse("clipboard.refused"));
    return Result<void>();
}

}  // namespace posiscope::platform
