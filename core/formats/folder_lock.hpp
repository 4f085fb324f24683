// folder_lock.hpp — one program at a time reads, changes and writes a file of a folder.
#pragma once

#include <cstdint>
#include <filesystem>

namespace posiscope {

// While it lives, others wait for theirs of that folder; half a second at most, since a folder on another machine may know
// no locks and a program may hang.
class FolderLock {
public:
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    std::intptr_t lock_;
};

}  // namespace posiscope
