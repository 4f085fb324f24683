#include "core/formats/draft.hpp"

#include "core/formats/file.hpp"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace posiscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegins = ".posiscope-";  // PROCESS-N follows

// A short unique name, however long the target's is.
fs::path temporary_beside(const fs::path& target) {
    static std::atomic<unsigned> count{0};
    return target.parent_path() /
           (std::string(kBegins) + std::to_string(::getpid()) + "-" + std::to_string(count++));
}

// Whether nobody writes it any more: its process has ended, and none on another machine that shares the folder holds it.
bool abandoned(const fs::path& file) {
    const std::string name = file.filename().string();
    if (!name.starts_with(kBegins)) return false;
    ::pid_t writer = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + kBegins.size(), end, writer);
    if (error != std::errc() || rest == end || *rest != '-' || writer <= 0) return false;
    if (::kill(writer, 0) == 0 || errno != ESRCH) return false;
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return false;
    struct stat status {};
    const bool free = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return free;
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
        if (abandoned(file->path())) ::unlink(file->path().c_str());
}

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

// The mode of the replaced file; a new file gets the umask's default from open().
void keep_mode(int descriptor, const fs::path& target) {
    struct stat status {};
    if (::stat(target.c_str(), &status) == 0) (void)::fchmod(descriptor, status.st_mode & 0777U);
}

tl::unexpected<Problem> refused(const fs::path& path, int why) {
    return failure("file.create", {{"path", path.string()}, {"reason", reason_of(why)}});
}

}  // namespace

Result<Draft> Draft::open(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status) || !path.has_filename())
        return failure("file.folder", {{"path", path.string()}});
    if (error == std::errc::too_many_symbolic_link_levels) return refused(path, ELOOP);
    Draft draft;
    draft.path_ = path;
    draft.target_ = followed(path);
    tidy(draft.target_.parent_path());
    const fs::path file = temporary_beside(draft.target_);
    draft.unfinished_ = Unfinished(file);
    draft.descriptor_ = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0666);
    if (draft.descriptor_ < 0) return refused(path, errno);
    draft.file_ = file;
    (void)::flock(draft.descriptor_, LOCK_EX | LOCK_NB);
    keep_mode(draft.descriptor_, draft.target_);
    return draft;
}

Draft& Draft::operator=(Draft&& other) noexcept {
    if (this == &other) return *this;
    abandon();
    path_ = std::move(other.path_);
    target_ = std::move(other.target_);
    file_ = std::exchange(other.file_, {});
    unfinished_ = std::move(other.unfinished_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    return *this;
}

int Draft::take_descriptor() { return std::exchange(descriptor_, -1); }

void Draft::written_by(int process) {
    if (descriptor_ >= 0) ::close(take_descriptor());
    unfinished_.written_by(process);
}

Result<void> Draft::commit() {
    const bool moved = ::rename(file_.c_str(), target_.c_str()) == 0;
    const int why = errno;
    if (moved) file_.clear();
    abandon();
    if (moved) return {};
    return failure("file.rename", {{"path", path_.string()}, {"reason", reason_of(why)}});
}

void Draft::abandon() noexcept {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    if (!file_.empty()) ::unlink(file_.c_str());
    file_.clear();
    unfinished_ = {};
}

}  // namespace posiscope
