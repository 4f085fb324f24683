// Every file is opened so that others may read, replace and delete it, as they may elsewhere; its descriptor is of bytes and
// goes to no other program. /dev/stdin, /dev/stdout and /dev/stderr are this process's streams here too.
#include "core/os/files.hpp"

#include "core/os/windows/errors.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <io.h>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <windows.h>

namespace posiscope::os {
namespace {

namespace fs = std::filesystem;

constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
// One byte that no file has: locks of Windows keep others from reading what they cover.
constexpr DWORD kLockedByte = 0x40000000;  // times 2^32

HANDLE handle_of(int descriptor) {
    // The C library ends a program that asks for one that is not open.
    return descriptor < 0 ? INVALID_HANDLE_VALUE : reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
}

// Part of the path is a file, or the last name is longer than a folder takes: Windows says otherwise.
int reason_of_path(const fs::path& path, DWORD error) {
    constexpr std::size_t kLongestName = 255;
    if (path.filename().native().size() > kLongestName) return ENAMETOOLONG;
    if (error == ERROR_PATH_NOT_FOUND || error == ERROR_DIRECTORY || error == ERROR_INVALID_NAME)
        for (fs::path folder = path.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
            if (const DWORD there = ::GetFileAttributesW(folder.c_str()); there != INVALID_FILE_ATTRIBUTES)
                return (there & FILE_ATTRIBUTE_DIRECTORY) == 0 ? ENOTDIR : errno_of(error);
    return errno_of(error);
}

int descriptor_of(HANDLE file, int flags) {
    const int descriptor = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(file), flags | _O_BINARY);
    if (descriptor < 0) {
        const int why = errno;
        ::CloseHandle(file);
        errno = why;
    }
    return descriptor;
}

int open(const fs::path& path, DWORD access, DWORD disposition, int flags) {
    // With this flag a folder opens too, and is then named as one.
    const HANDLE file = ::CreateFileW(path.c_str(), access, kShared, nullptr, disposition,
                                      FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        errno = reason_of_path(path, ::GetLastError());
        return -1;
    }
    return descriptor_of(file, flags);
}

// The stream that such a path names, or −1.
int stream_of(const fs::path& path) {
    const std::wstring& name = path.native();
    return name == L"/dev/stdin" ? 0 : name == L"/dev/stdout" ? 1 : name == L"/dev/stderr" ? 2 : -1;
}

int own_descriptor_of(int stream) {
    const int descriptor = ::_dup(stream);
    if (descriptor >= 0) ::_setmode(descriptor, _O_BINARY);
    return descriptor;
}

std::ptrdiff_t transferred(BOOL well, DWORD count) {
    if (well != 0) return static_cast<std::ptrdiff_t>(count);
    const DWORD error = ::GetLastError();
    if (error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE) return 0;
    errno = errno_of(error);
    return -1;
}

DWORD piece(std::size_t size) {
    return static_cast<DWORD>(std::min<std::size_t>(size, std::size_t{1} << 30));
}

bool lock(HANDLE file) {
    OVERLAPPED at{};
    at.OffsetHigh = kLockedByte;
    return ::LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at) != 0;
}

// Under the rules that other systems have: a file that is open gives its name away at once. Windows 10 1709 and NTFS can.
bool replace_an_open_one(const fs::path& from, const fs::path& to) {
    const HANDLE file =
        ::CreateFileW(from.c_str(), DELETE | SYNCHRONIZE, kShared, nullptr, OPEN_EXISTING, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    constexpr DWORD kReplaceIfExists = 1, kPosixSemantics = 2;  // as winternl has them
    constexpr int kRenameInfoEx = 22;
    std::error_code ignored;
    const std::wstring target = fs::absolute(to, ignored).native();
    const std::size_t bytes = target.size() * sizeof(wchar_t);
    std::vector<std::byte> room(sizeof(FILE_RENAME_INFO) + bytes);
    auto* const info = new (room.data()) FILE_RENAME_INFO{};
    // Its first member is the flags there.
    const DWORD flags = kReplaceIfExists | kPosixSemantics;
    std::copy_n(reinterpret_cast<const std::byte*>(&flags), sizeof flags, room.data());
    info->FileNameLength = static_cast<DWORD>(bytes);
    std::copy_n(reinterpret_cast<const std::byte*>(target.data()), bytes,
                room.data() + offsetof(FILE_RENAME_INFO, FileName));
    const bool moved =
        ::SetFileInformationByHandle(file, static_cast<FILE_INFO_BY_HANDLE_CLASS>(kRenameInfoEx), info,
                                     static_cast<DWORD>(room.size())) != 0;
    ::CloseHandle(file);
    return moved;
}

// The way of file systems that do not know that: somebody may read the file still, but lets its name be changed. For a moment
// there is none of that name; a process that is killed then leaves the old one as NAME.before.
bool replace_by_moving_aside(const fs::path& from, const fs::path& to) {
    fs::path aside = to;
    aside += ".before";
    if (::MoveFileExW(to.c_str(), aside.c_str(), 0) == 0) {
        note_error();
        return false;
    }
    if (::MoveFileExW(from.c_str(), to.c_str(), 0) == 0) {
        note_error();
        ::MoveFileExW(aside.c_str(), to.c_str(), 0);
        return false;
    }
    ::DeleteFileW(aside.c_str());
    return true;
}

}  // namespace

bool is_stream(const fs::path& path) {
    if (stream_of(path) >= 0) return true;
    // Pipes, and devices under their names.
    const HANDLE file =
        ::CreateFileW(path.c_str(), 0, kShared, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    const bool stream = ::GetFileType(file) != FILE_TYPE_DISK;
    ::CloseHandle(file);
    return stream;
}

int open_to_read(const fs::path& path, Pipe) {
    if (const int stream = stream_of(path); stream >= 0) return own_descriptor_of(stream);
    return open(path, GENERIC_READ, OPEN_EXISTING, _O_RDONLY);
}

int open_stream(const fs::path& path) {
    if (const int stream = stream_of(path); stream >= 0) return own_descriptor_of(stream);
    return open(path, GENERIC_WRITE, OPEN_EXISTING, _O_WRONLY);
}

int open_standard_output() { return own_descriptor_of(1); }

int unnamed_file() {
    std::FILE* const file = std::tmpfile();
    if (file == nullptr) return -1;
    const int descriptor = ::_dup(::_fileno(file));
    std::fclose(file);
    if (descriptor >= 0) (void)::_setmode(descriptor, _O_BINARY);
    return descriptor;
}

int redirect(int stream, int descriptor) {
    const int usual = ::_dup(stream);
    if (usual < 0 || ::_dup2(descriptor, stream) == 0) return usual;
    ::_close(usual);
    return -1;
}

int create_locked(const fs::path& path) {
    const int descriptor = open(path, GENERIC_WRITE, CREATE_NEW, _O_WRONLY);
    if (descriptor >= 0) (void)lock(handle_of(descriptor));
    return descriptor;
}

bool close(int descriptor) { return ::_close(descriptor) == 0; }

std::optional<FileStatus> status_of(int descriptor) {
    const HANDLE file = handle_of(descriptor);
    FileStatus status;
    if (::GetFileType(file) != FILE_TYPE_DISK) return status;
    BY_HANDLE_FILE_INFORMATION found{};
    if (::GetFileInformationByHandle(file, &found) == 0) {
        note_error();
        return std::nullopt;
    }
    const auto whole = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32U | low; };
    constexpr std::uint64_t kTicks = 10'000'000;  // a second
    const std::uint64_t changed =
        whole(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime);
    status.folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    status.regular = !status.folder;
    status.device = found.dwVolumeSerialNumber;
    status.file = whole(found.nFileIndexHigh, found.nFileIndexLow);
    status.size = whole(found.nFileSizeHigh, found.nFileSizeLow);
    status.seconds = static_cast<std::int64_t>(changed / kTicks);
    status.nanoseconds = static_cast<std::int64_t>(changed % kTicks * 100);
    return status;
}

std::ptrdiff_t read(int descriptor, std::span<char> into) {
    DWORD count = 0;
    const BOOL well = ::ReadFile(handle_of(descriptor), into.data(), piece(into.size()), &count, nullptr);
    return transferred(well, count);
}

std::ptrdiff_t read_at(int descriptor, std::uint64_t from, std::span<char> into) {
    OVERLAPPED at{};
    at.Offset = static_cast<DWORD>(from & 0xffffffffU);
    at.OffsetHigh = static_cast<DWORD>(from >> 32U);
    DWORD count = 0;
    const BOOL well = ::ReadFile(handle_of(descriptor), into.data(), piece(into.size()), &count, &at);
    return transferred(well, count);
}

std::ptrdiff_t write(int descriptor, std::string_view bytes) {
    DWORD count = 0;
    if (::WriteFile(handle_of(descriptor), bytes.data(), piece(bytes.size()), &count, nullptr) != 0)
        return static_cast<std::ptrdiff_t>(count);
    note_error();
    return -1;
}

bool sync(int descriptor) {
    if (::FlushFileBuffers(handle_of(descriptor)) != 0) return true;
    note_error();
    return false;
}

fs::path followed(const fs::path& path) {
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0)
        return path;
    const HANDLE file =
        ::CreateFileW(path.c_str(), 0, kShared, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (file == INVALID_HANDLE_VALUE) return path;
    std::array<wchar_t, 32768> name{};
    const DWORD length = ::GetFinalPathNameByHandleW(file, name.data(), static_cast<DWORD>(name.size()), 0);
    ::CloseHandle(file);
    return length > 0 && length < name.size() ? fs::path(std::wstring(name.data(), length)) : path;
}

// A new file gets its folder's rights.
void take_mode(int, const fs::path&) {}

bool replace(const fs::path& from, const fs::path& to) {
    if (const DWORD there = ::GetFileAttributesW(to.c_str());
        there != INVALID_FILE_ATTRIBUTES && (there & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        errno = EISDIR;
        return false;
    }
    if (replace_an_open_one(from, to)) return true;
    // Virus scanners hold new files for a moment.
    constexpr int kTries = 20;
    for (int i = 0; i < kTries; ++i) {
        if (::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING) != 0) return true;
        const DWORD error = ::GetLastError();
        errno = reason_of_path(to, error);
        if (error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION) return false;
        if (replace_by_moving_aside(from, to)) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

void remove(const wchar_t* path) { ::DeleteFileW(path); }

bool unlocked(const fs::path& path) {
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ, kShared, nullptr, OPEN_EXISTING,
                                      FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;  // a folder too
    BY_HANDLE_FILE_INFORMATION found{};
    const bool free = ::GetFileType(file) == FILE_TYPE_DISK &&
                      ::GetFileInformationByHandle(file, &found) != 0 &&
                      (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0 && lock(file);
    ::CloseHandle(file);
    return free;
}

bool no_space(int error) { return error == ENOSPC; }

// Folders have no locks here: a mutex of this person's session is named by the folder's own number.
std::intptr_t lock_folder(const fs::path& folder, int milliseconds) {
    const int descriptor = open(folder, 0, OPEN_EXISTING, _O_RDONLY);
    if (descriptor < 0) return -1;
    const auto status = status_of(descriptor);
    ::_close(descriptor);
    if (!status) return -1;
    const std::wstring name =
        L"Local\\posiscope-" + std::to_wstring(status->device) + L"-" + std::to_wstring(status->file);
    const HANDLE mutex = ::CreateMutexW(nullptr, FALSE, name.c_str());
    if (mutex == nullptr) return -1;
    const DWORD got = ::WaitForSingleObject(mutex, static_cast<DWORD>(milliseconds));
    if (got == WAIT_OBJECT_0 || got == WAIT_ABANDONED) return reinterpret_cast<std::intptr_t>(mutex);
    ::CloseHandle(mutex);
    return -1;
}

void unlock_folder(std::intptr_t lock) {
    if (lock == -1) return;
    const auto mutex = reinterpret_cast<HANDLE>(lock);
    ::ReleaseMutex(mutex);
    ::CloseHandle(mutex);
}

}  // namespace posiscope::os
