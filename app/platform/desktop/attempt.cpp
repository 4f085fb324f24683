#include "app/platform/attempt.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace posiscope::platform {

Attempt::Attempt(const std::filesystem::path& file) {
    std::error_code ignored;
    if (file.parent_path().empty()) return;
    std::filesystem::create_directories(file.parent_path(), ignored);
    file_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (file_ < 0) return;
    struct stat status {};
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0 && ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) {
        last_failed_ = status.st_size > 0 && ::ftruncate(file_, 0) == 0;
        return;
    }
    ::close(std::exchange(file_, -1));
}

Attempt::~Attempt() {
    if (file_ >= 0) ::close(file_);
}

void Attempt::begin() { under_way_ = file_ >= 0 && ::pwrite(file_, "1\n", 2, 0) == 2; }

void Attempt::succeed() {
    if (std::exchange(under_way_, false)) (void)!::ftruncate(file_, 0);
}

}  // namespace posiscope::platform
