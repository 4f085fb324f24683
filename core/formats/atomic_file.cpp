#include "core/formats/atomic_file.hpp"

#include "core/formats/file.hpp"
#include "core/os/files.hpp"
#include "core/os/processes.hpp"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegins = ".posiscope-";  // PROCESS-START-N follows
constexpr auto kOld = std::chrono::hours(1);

// This process among all that had its number: in a container every program may be process 1.
const std::string& own_start() {
    static const std::string start =
        fmt::format("{:x}", std::chrono::system_clock::now().time_since_epoch().count());
    return start;
}

// A short unique name, however long the target's is.
fs::path temporary_beside(const fs::path& target) {
    static std::atomic<unsigned> count{0};
    return target.parent_path() / fmt::format("{}{}-{}-{}", kBegins, os::own_number(), own_start(), count++);
}

// True if nobody writes it any more: its process has ended, and none on another machine that shares the folder holds it.
// A process of our number is a former one, or one of another container, whose drafts are young.
bool abandoned(const fs::path& file) {
    const std::string name = file.filename().string();
    if (!name.starts_with(kBegins)) return false;
    int writer = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + kBegins.size(), end, writer);
    if (error != std::errc() || rest == end || *rest != '-' || writer <= 0) return false;
    if (writer == os::own_number()) {
        if (std::string_view(rest + 1, static_cast<std::size_t>(end - rest - 1)).starts_with(own_start()))
            return false;
        std::error_code unknown;
        const auto changed = fs::last_write_time(file, unknown);
        if (unknown || fs::file_time_type::clock::now() - changed < kOld) return false;
    } else if (os::runs(writer)) {
        return false;
    }
    return os::unlocked(file);
}

// Removes drafts that a killed process left in a folder; once for each folder that this process writes to.
void tidy(const fs::path& folder) {
    static std::mutex mutex;
    static std::set<fs::path> tidied;
    const std::lock_guard lock(mutex);
    if (!tidied.insert(folder).second) return;
    std::error_code error;
    fs::directory_iterator file(folder.empty() ? fs::path(".") : folder, error), end;
    for (; !error && file != end; file.increment(error))
        if (abandoned(file->path())) os::remove(file->path().c_str());
}

tl::unexpected<Problem> refused(const fs::path& path, int why) {
    return failure("file.create", {{"path", path.string()}, {"reason", reason_of(why)}});
}

}  // namespace

Result<AtomicFile> AtomicFile::open(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status) || !path.has_filename())
        return failure("file.folder", {{"path", path.string()}});
    if (error == std::errc::too_many_symbolic_link_levels) return refused(path, ELOOP);
    AtomicFile draft;
    draft.path_ = path;
    draft.target_ = os::followed(path);
    tidy(draft.target_.parent_path());
    const fs::path file = temporary_beside(draft.target_);
    draft.unfinished_ = TempFileCleanup(file);
    draft.descriptor_ = os::create_locked(file);
    if (draft.descriptor_ < 0) return refused(path, errno);
    draft.file_ = file;
    os::take_mode(draft.descriptor_, draft.target_);
    return draft;
}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    if (this == &other) return *this;
    abandon();
    path_ = std::move(other.path_);
    target_ = std::move(other.target_);
    file_ = std::exchange(other.file_, {});
    unfinished_ = std::move(other.unfinished_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    return *this;
}

int AtomicFile::take_descriptor() { return std::exchange(descriptor_, -1); }

void AtomicFile::written_by(int process) {
    if (descriptor_ >= 0) os::close(take_descriptor());
    unfinished_.written_by(process);
}

Result<void> AtomicFile::commit() {
    const bool moved = os::replace(file_, target_);
    const int why = errno;
    if (moved) file_.clear();
    abandon();
    if (moved) return {};
    return failure("file.rename", {{"path", path_.string()}, {"reason", reason_of(why)}});
}

void AtomicFile::abandon() noexcept {
    if (descriptor_ >= 0) os::close(std::exchange(descriptor_, -1));
    if (!file_.empty()) os::remove(file_.c_str());
    file_.clear();
    unfinished_ = {};
}

FolderLock::FolderLock(const std::filesystem::path& folder) : lock_(os::lock_folder(folder, 500)) {}

FolderLock::~FolderLock() { os::unlock_folder(lock_); }

}  // namespace posiscope
