#include "app/platform/paths.hpp"

#include "core/formats/file.hpp"

#include <cerrno>
#include <cwchar>
#include <string>

#include <windows.h>
// After windows.h, which they need.
#include <knownfolders.h>
#include <objbase.h>
#include <shlobj.h>

namespace posiscope::platform {
namespace {

namespace fs = std::filesystem;

fs::path folder_in(const wchar_t* variable) {
    const wchar_t* const folder = ::_wgetenv(variable);
    return folder == nullptr || !fs::path(folder).is_absolute() ? fs::path() : fs::path(folder);
}

fs::path within(const fs::path& folder) { return folder.empty() ? folder : folder / "Posiscope"; }

}  // namespace

Folders user_folders() { return {within(folder_in(L"LOCALAPPDATA")), within(folder_in(L"APPDATA"))}; }

fs::path picture_folder() {
    std::error_code ignored;
    PWSTR name = nullptr;
    fs::path pictures;
    if (::SHGetKnownFolderPath(FOLDERID_Pictures, 0, nullptr, &name) == S_OK) pictures = name;
    ::CoTaskMemFree(name);
    return fs::is_directory(pictures, ignored) ? pictures : fs::current_path(ignored);
}

// The folder for temporary files is this person's own.
Result<fs::path> private_folder() {
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path(error);
    fs::path folder;
    for (unsigned i = 0; i < 100; ++i) {
        folder = temporary / ("posiscope-" + std::to_string(::GetCurrentProcessId()) + "-" +
                              std::to_string(::GetTickCount64() + i));
        if (::CreateDirectoryW(folder.c_str(), nullptr) != 0) return folder;
        if (::GetLastError() != ERROR_ALREADY_EXISTS) break;
    }
    return failure("file.create", {{"path", folder.string()}, {"reason", reason_of(EACCES)}});
}

std::string from_home(const std::string& path) {
    const fs::path home = folder_in(L"USERPROFILE");
    const bool below = path.starts_with("~/") || path.starts_with("~\\");
    return below && !home.empty() ? (home / path.substr(2)).string() : path;
}

}  // namespace posiscope::platform
