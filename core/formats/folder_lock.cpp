#include "core/formats/folder_lock.hpp"

#include "core/os/files.hpp"

namespace posiscope {

FolderLock::FolderLock(const std::filesystem::path& folder) : lock_(os::lock_folder(folder, 500)) {}

FolderLock::~FolderLock() { os::unlock_folder(lock_); }

}  // namespace posiscope
