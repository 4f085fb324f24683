// files.hpp — files by descriptors, the same on each system: core/os/posix and core/os/windows.
// A descriptor of −1, and false, are failures, whose reason is in errno. An interrupted call is made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace posiscope::os {

struct FileStatus {
    bool regular = false, folder = false;
    std::uint64_t device = 0, file = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;  // of the last change
};

// True if bytes written there are gone, as with a device or a pipe: it cannot be replaced by a file.
bool is_stream(const std::filesystem::path& path);

enum class Pipe { wait, at_once };  // whether opening a pipe waits for its writer
int open_to_read(const std::filesystem::path& path, Pipe pipe = Pipe::wait);
int open_stream(const std::filesystem::path& path);  // to be written to
int open_standard_output();                          // a descriptor of its own
int unnamed_file();  // empty, to write and to read; gone with its last descriptor
// Standard input, output or error (0, 1, 2) becomes another descriptor; a copy of what it was.
int redirect(int stream, int descriptor);
// A new file, to be written, on which others see this process's lock. A system may know none.
int create_locked(const std::filesystem::path& path);
bool close(int descriptor);

std::optional<FileStatus> status_of(int descriptor);
// The number of bytes; 0 at the end of the file; negative: a failure.
std::ptrdiff_t read(int descriptor, std::span<char> into);
std::ptrdiff_t read_at(int descriptor, std::uint64_t from, std::span<char> into);
std::ptrdiff_t write(int descriptor, std::string_view bytes);
bool sync(int descriptor);  // waits until what was written would survive a loss of power

// The file that a path leads to, with links followed, also where there is none yet.
std::filesystem::path followed(const std::filesystem::path& path);
// Who may use `file` is who may use what it will replace.
void take_mode(int descriptor, const std::filesystem::path& replaced);
// Moves a file over another, or to where none is: others see the one or the other.
bool replace(const std::filesystem::path& from, const std::filesystem::path& to);
// Allocates nothing: for signal handlers too. An open file may remain until it is closed.
void remove(const std::filesystem::path::value_type* path);
// A regular file that no process has locked.
bool unlocked(const std::filesystem::path& path);

bool no_space(int error);  // an errno that says that the disk is full, or this person's part of it

// A folder's lock, of one process at a time; −1 where it was not to be had within these milliseconds, or there is none.
std::intptr_t lock_folder(const std::filesystem::path& folder, int milliseconds);
void unlock_folder(std::intptr_t lock);

}  // namespace posiscope::os
