#include "core/os/files.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace posiscope::os {
namespace {

namespace fs = std::filesystem;

template <class Call>
std::ptrdiff_t repeated(Call call) {
    for (;;)
        if (const std::ptrdiff_t count = call(); count >= 0 || errno != EINTR) return count;
}

}  // namespace

bool is_stream(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

int open_to_read(const fs::path& path, Pipe pipe) {
    return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (pipe == Pipe::at_once ? O_NONBLOCK : 0));
}

int open_stream(const fs::path& path) { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC, 0666); }

int open_standard_output() { return ::dup(STDOUT_FILENO); }

int unnamed_file() {
#ifdef __linux__
    return ::memfd_create("posiscope", MFD_CLOEXEC);
#else
    std::FILE* const file = std::tmpfile();
    if (file == nullptr) return -1;
    const int descriptor = ::fcntl(::fileno(file), F_DUPFD_CLOEXEC, 3);
    std::fclose(file);
    return descriptor;
#endif
}

int redirect(int stream, int descriptor) {
    const int usual = ::fcntl(stream, F_DUPFD_CLOEXEC, 3);
    if (usual < 0 || ::dup2(descriptor, stream) >= 0) return usual;
    ::close(usual);
    return -1;
}

int create_locked(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
    if (descriptor >= 0) (void)::flock(descriptor, LOCK_EX | LOCK_NB);
    return descriptor;
}

bool close(int descriptor) { return ::close(descriptor) == 0; }

std::optional<FileStatus> status_of(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return std::nullopt;
    return FileStatus{.regular = S_ISREG(status.st_mode),
                      .folder = S_ISDIR(status.st_mode),
                      .device = static_cast<std::uint64_t>(status.st_dev),
                      .file = static_cast<std::uint64_t>(status.st_ino),
                      .size = static_cast<std::uint64_t>(status.st_size),
                      .seconds = static_cast<std::int64_t>(status.st_mtim.tv_sec),
                      .nanoseconds = static_cast<std::int64_t>(status.st_mtim.tv_nsec)};
}

std::ptrdiff_t read(int descriptor, std::span<char> into) {
    return repeated([&] { return ::read(descriptor, into.data(), into.size()); });
}

std::ptrdiff_t read_at(int descriptor, std::uint64_t from, std::span<char> into) {
    return repeated(
        [&] { return ::pread(descriptor, into.data(), into.size(), static_cast<::off_t>(from)); });
}

std::ptrdiff_t write(int descriptor, std::string_view bytes) {
    return repeated([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
}

bool sync(int descriptor) { return ::fsync(descriptor) == 0; }

fs::path followed(const fs::path& path) {
    std::error_code error;
    fs::path target = path;
    for (int hops = 0; hops < 32 && fs::is_symlink(target, error); ++hops) {
        const fs::path next = fs::read_symlink(target, error);
        if (error) break;
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return target;
}

// A new file keeps the umask's default from open().
void take_mode(int descriptor, const fs::path& replaced) {
    struct stat status {};
    if (::stat(replaced.c_str(), &status) == 0) (void)::fchmod(descriptor, status.st_mode & 0777U);
}

bool replace(const fs::path& from, const fs::path& to) { return ::rename(from.c_str(), to.c_str()) == 0; }

void remove(const char* path) { ::unlink(path); }

bool unlocked(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return false;
    const auto status = status_of(descriptor);
    const bool free = status && status->regular && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return free;
}

bool no_space(int error) { return error == ENOSPC || error == EDQUOT; }

std::intptr_t lock_folder(const fs::path& folder, int milliseconds) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    while (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 &&
           (errno == EWOULDBLOCK || errno == EINTR) && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return descriptor;
}

void unlock_folder(std::intptr_t lock) {
    if (lock >= 0) ::close(static_cast<int>(lock));
}

}  // namespace posiscope::os
