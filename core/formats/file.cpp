#include "core/formats/file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

// Bytes written to a device or a pipe cannot be taken back.
std::string_view unwritten(const Draft& draft) { return draft.any() ? "file.write" : "file.stream"; }

}  // namespace

std::string reason_of(int error) {
    switch (error) {
        case EACCES:
        case EPERM: return "permission";
        case EROFS: return "read_only";
        case ENOSPC:
        case EDQUOT: return "space";
        case EFBIG: return "too_large";
        case ENOENT: return "no_folder";
        case ENOTDIR: return "not_a_folder";
        case EISDIR: return "is_a_folder";
        case ENAMETOOLONG: return "long_name";
        case ELOOP: return "link_loop";
        case EMFILE:
        case ENFILE: return "descriptors";
        case EIO: return "device";
        default: return "error " + std::to_string(error);
    }
}

Result<FileReader> FileReader::open(const fs::path& path) {
    FileReader reader;
    reader.path_ = path;
    reader.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (reader.descriptor_ < 0 || ::fstat(reader.descriptor_, &status) != 0)
        return failure(errno == ENOENT ? "file.missing" : "file.read",
                       {{"path", path.string()}, {"reason", reason_of(errno)}});
    if (S_ISDIR(status.st_mode)) return failure("file.folder", {{"path", path.string()}});
    if (S_ISREG(status.st_mode)) reader.size_ = static_cast<std::uint64_t>(status.st_size);
    return reader;
}

FileReader::FileReader(FileReader&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

FileReader::~FileReader() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::size_t> FileReader::read(std::span<char> into) {
    for (;;) {
        const ::ssize_t count = ::read(descriptor_, into.data(), into.size());
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR)
            return failure("file.read", {{"path", path_.string()}, {"reason", reason_of(errno)}});
    }
}

Result<std::string> read_file(const fs::path& path, std::uint64_t limit) {
    auto reader = FileReader::open(path);
    if (!reader) return tl::unexpected(reader.error());
    std::string bytes;
    std::string piece(64 << 10, '\0');
    while (reader->size() <= limit && bytes.size() <= limit) {  // a pipe has no size, and a file may grow
        const auto count = reader->read(piece);
        if (!count) return tl::unexpected(count.error());
        if (*count == 0) return bytes;
        bytes.append(piece, 0, *count);
    }
    return failure("file.large", {{"path", path.string()}, {"limit", std::to_string(limit)}});
}

Result<FileWriter> FileWriter::open(const fs::path& path) {
    FileWriter writer;
    writer.path_ = path;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    const bool direct = fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
    if (!direct) {
        auto draft = Draft::open(path);
        if (!draft) return tl::unexpected(draft.error());
        writer.draft_ = std::move(*draft);
        writer.descriptor_ = writer.draft_.take_descriptor();
        return writer;
    }
    writer.descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC, 0666);
    if (writer.descriptor_ < 0)
        return failure("file.create", {{"path", path.string()}, {"reason", reason_of(errno)}});
    return writer;
}

FileWriter FileWriter::standard_output() {
    FileWriter writer;
    writer.path_ = "stdout";
    writer.descriptor_ = ::dup(STDOUT_FILENO);
    if (writer.descriptor_ < 0) writer.fail("file.create", errno);
    return writer;
}

FileWriter::FileWriter(FileWriter&& other) noexcept { *this = std::move(other); }

FileWriter& FileWriter::operator=(FileWriter&& other) noexcept {
    if (this == &other) return *this;
    abandon();
    path_ = std::move(other.path_);
    draft_ = std::move(other.draft_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    buffer_ = std::move(other.buffer_);
    failure_ = std::move(other.failure_);
    return *this;
}

FileWriter::~FileWriter() { abandon(); }

void FileWriter::abandon() noexcept {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    draft_ = {};
}

void FileWriter::fail(std::string_view key, int error) {
    if (!failure_)
        failure_ = Problem{
            std::string(key), {{"path", path_.string()}, {"reason", reason_of(error)}}, Cause::failure};
}

void FileWriter::write(std::string_view bytes) {
    if (failure_) return;
    buffer_ += bytes;
    if (buffer_.size() >= kBufferSize) flush();
}

void FileWriter::flush() {
    std::string_view rest = buffer_;
    while (!rest.empty() && !failure_) {
        const ::ssize_t count = ::write(descriptor_, rest.data(), rest.size());
        if (count >= 0) rest.remove_prefix(static_cast<std::size_t>(count));
        else if (errno != EINTR) fail(unwritten(draft_), errno);
    }
    buffer_.clear();
}

Result<void> FileWriter::commit(bool durable) {
    flush();
    if (!failure_ && durable && draft_.any() && ::fsync(descriptor_) != 0) fail(unwritten(draft_), errno);
    // Some file systems report a full disk only here.
    if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail(unwritten(draft_), errno);
    if (!failure_ && draft_.any())
        if (auto moved = draft_.commit(); !moved) failure_ = moved.error();
    abandon();
    if (failure_) return tl::unexpected(*failure_);
    return {};
}

Result<void> write_file(const fs::path& path, std::string_view bytes, bool durable) {
    auto writer = FileWriter::open(path);
    if (!writer) return tl::unexpected(writer.error());
    writer->write(bytes);
    return writer->commit(durable);
}

}  // namespace posiscope
