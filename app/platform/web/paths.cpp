// Folders of a file system in memory. The script keeps /kept in the browser, and main.cpp hands /downloads out.
#include "app/platform/paths.hpp"

namespace posiscope::platform {

Folders user_folders() { return {"/kept/state", "/kept/config"}; }

std::filesystem::path picture_folder() { return "/downloads"; }

Result<std::filesystem::path> private_folder() {
    const std::filesystem::path folder = "/tmp/posiscope";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    return folder;
}

std::string from_home(const std::string& path) { return path; }

}  // namespace posiscope::platform
