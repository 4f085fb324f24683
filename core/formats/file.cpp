#include "core/formats/file.hpp"

#include "core/os/files.hpp"

#include <cerrno>
#include <utility>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

// Bytes written to a device or a pipe cannot be taken back.
std::string_view unwritten(const AtomicFile& draft) { return draft.any() ? "file.write" : "file.stream"; }

}  // namespace

std::string reason_of(int error) {
    if (os::no_space(error)) return "space";
    switch (error) {
        case EACCES:
        case EPERM: return "permission";
        case EROFS: return "read_only";
        case EFBIG: return "too_large";
        case ENOENT: return "no_folder";
        case ENOTDIR: return "not_a_folder";
        case EISDIR: return "is_a_folder";
        case ENAMETOOLONG: return "long_name";
        case ELOOP: return "link_loop";
        case EMFILE:
        case ENFILE: return "descriptors";
        case EIO: return "device";
        case EBUSY: return "in_use";
        default: return "error " + std::to_string(error);
    }
}

Result<FileReader> FileReader::open(const fs::path& path) {
    FileReader reader;
    reader.path_ = path;
    reader.descriptor_ = os::open_to_read(path);
    const auto status = reader.descriptor_ < 0 ? std::nullopt : os::status_of(reader.descriptor_);
    if (!status)
        return failure(errno == ENOENT ? "file.missing" : "file.read",
                       {{"path", path.string()}, {"reason", reason_of(errno)}});
    if (status->folder) return failure("file.folder", {{"path", path.string()}});
    if (status->regular) reader.size_ = status->size;
    return reader;
}

FileReader::FileReader(FileReader&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

FileReader::~FileReader() {
    if (descriptor_ >= 0) os::close(descriptor_);
}

Result<std::size_t> FileReader::read(std::span<char> into) {
    const std::ptrdiff_t count = os::read(descriptor_, into);
    if (count < 0) return failure("file.read", {{"path", path_.string()}, {"reason", reason_of(errno)}});
    return static_cast<std::size_t>(count);
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
    if (!os::is_stream(path)) {
        auto draft = AtomicFile::open(path);
        if (!draft) return tl::unexpected(draft.error());
        writer.draft_ = std::move(*draft);
        writer.descriptor_ = writer.draft_.take_descriptor();
        return writer;
    }
    writer.descriptor_ = os::open_stream(path);
    if (writer.descriptor_ < 0)
        return failure("file.create", {{"path", path.string()}, {"reason", reason_of(errno)}});
    return writer;
}

FileWriter FileWriter::standard_output() {
    FileWriter writer;
    writer.path_ = "stdout";
    writer.descriptor_ = os::open_standard_output();
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
    if (descriptor_ >= 0) os::close(std::exchange(descriptor_, -1));
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
        const std::ptrdiff_t count = os::write(descriptor_, rest);
        if (count >= 0) rest.remove_prefix(static_cast<std::size_t>(count));
        else fail(unwritten(draft_), errno);
    }
    buffer_.clear();
}

Result<void> FileWriter::commit(bool durable) {
    flush();
    if (!failure_ && durable && draft_.any() && !os::sync(descriptor_)) fail(unwritten(draft_), errno);
    // Some file systems report a full disk only here.
    if (descriptor_ >= 0 && !os::close(std::exchange(descriptor_, -1))) fail(unwritten(draft_), errno);
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
