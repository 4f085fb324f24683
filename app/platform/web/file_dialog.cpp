#include "app/platform/file_dialog.hpp"
#include "app/platform/clipboard.hpp"
#include "app/platform/web/page.hpp"

#include <filesystem>
#include <utility>

namespace posiscope::platform {
namespace {

// A page has one dialog, and it opens at once.
std::optional<FileDialog::Chosen> answer;

}  // namespace

std::vector<std::string> dialog_command(bool, FileDialog::Kind, const std::string&, const std::string&) {
    return {};
}

// The browser asks where to save a download, so the name that was suggested is taken; chosen files come as dropped ones do.
bool FileDialog::ask(Kind kind, const std::string&, const std::string& suggested) {
    kind_ = kind;
    if (kind == Kind::open) page_choose_files();
    else answer = Chosen{kind, {"/downloads/" + std::filesystem::path(suggested).filename().string()}};
    return true;
}

std::optional<FileDialog::Chosen> FileDialog::take() { return std::exchange(answer, std::nullopt); }

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
