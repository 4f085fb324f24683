// file.hpp — whole files in, whole files out.
// A file is written under a temporary name and renamed: readers see the old file or the new one, and a full disk or an
// interruption keeps the old one. Devices and pipes (/dev/stdout) are written directly.
#pragma once

#include "core/formats/atomic_file.hpp"
#include "core/problem.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace posiscope {

inline constexpr std::uint64_t kLargestTextFile = std::uint64_t{64} << 20;

// The bytes of a file. Refuses a folder, an unreadable file, and more than `limit` bytes before reading them.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit = kLargestTextFile);

// Reads a file piece by piece, so that it need not fit into memory. Refuses what read_file refuses.
class FileReader {
public:
    static Result<FileReader> open(const std::filesystem::path& path);

    FileReader(FileReader&& other) noexcept;
    FileReader& operator=(FileReader&&) = delete;
    ~FileReader();

    // The number of bytes read, up to into.size(); 0 at the end of the file.
    Result<std::size_t> read(std::span<char> into);
    std::uint64_t size() const { return size_; }  // 0 for anything but a regular file, such as a pipe

private:
    FileReader() = default;

    std::filesystem::path path_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

// A file being written. Without commit() it leaves no trace.
class FileWriter {
public:
    static Result<FileWriter> open(const std::filesystem::path& path);
    static FileWriter standard_output();

    FileWriter(FileWriter&& other) noexcept;
    FileWriter& operator=(FileWriter&& other) noexcept;
    ~FileWriter();

    // After a failure further calls do nothing; commit() returns the first failure.
    void write(std::string_view bytes);

    // Moves the file into place. `durable` waits until it would survive a loss of power.
    Result<void> commit(bool durable = false);

private:
    FileWriter() = default;
    void flush();
    void fail(std::string_view key, int error);
    void abandon() noexcept;

    std::filesystem::path path_;
    AtomicFile draft_;  // of no file: written directly
    int descriptor_ = -1;
    std::string buffer_;
    std::optional<Problem> failure_;
};

Result<void> write_file(const std::filesystem::path& path, std::string_view bytes, bool durable = false);

// A system error number as the word for a Problem's "reason": "space", "permission", …
std::string reason_of(int error);

}  // namespace posiscope
