#include "core/os/windows/errors.hpp"

#include <array>
#include <cerrno>
#include <utility>

#include <windows.h>

namespace posiscope::os {

int errno_of(unsigned long error) {
    constexpr std::pair<DWORD, int> kSame[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_USER_MAPPED_FILE, EBUSY},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_FILE_TOO_LARGE, EFBIG},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
        {ERROR_NOT_READY, EIO},
        {ERROR_CRC, EIO},
        {ERROR_IO_DEVICE, EIO},
        {ERROR_SEEK, EIO},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_BAD_EXE_FORMAT, ENOEXEC},
    };
    for (const auto& [windows, number] : kSame)
        if (error == windows) return number;
    return EINVAL;
}

void note_error() { errno = errno_of(::GetLastError()); }

}  // namespace posiscope::os
