#include "app/platform/paths.hpp"

#include "core/formats/file.hpp"

#include <cerrno>
#include <cstdlib>

namespace posiscope::platform {
namespace {

namespace fs = std::filesystem;

// A relative path in these variables is to be ignored, says the XDG Base Directory Specification.
fs::path folder_from(const char* variable, const char* under_home) {
    if (const char* own = std::getenv(variable); own != nullptr && *own == '/')
        return fs::path(own) / "posiscope";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / under_home / "posiscope";
    return {};
}

}  // namespace

Folders user_folders() {
    return {folder_from("XDG_STATE_HOME", ".local/state"), folder_from("XDG_CONFIG_HOME", ".config")};
}

fs::path picture_folder() {
    std::error_code ignored;
    if (const char* home = std::getenv("HOME"); home != nullptr)
        if (const auto pictures = fs::path(home) / "Pictures"; fs::is_directory(pictures, ignored))
            return pictures;
    return fs::current_path(ignored);  // empty where that folder was deleted: names stay relative
}

Result<fs::path> private_folder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "posiscope-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        return failure("file.create", {{"path", name}, {"reason", reason_of(errno)}});
    return fs::path(name);
}

std::string from_home(const std::string& path) {
    const char* home = std::getenv("HOME");
    return path.starts_with("~/") && home != nullptr ? home + path.substr(1) : path;
}

}  // namespace posiscope::platform
