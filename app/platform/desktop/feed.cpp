#include "app/platform/feed.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace posiscope::platform {
namespace {

// One that ends early must be an error of write(), not the end of this program.
class NoBrokenPipe {
public:
    NoBrokenPipe() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before_);
    }
    ~NoBrokenPipe() { ::sigaction(SIGPIPE, &before_, nullptr); }
    NoBrokenPipe(const NoBrokenPipe&) = delete;
    NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

private:
    struct sigaction before_ {};
};

}  // namespace

Feed::Feed(Feed&& other) noexcept
    : pipe_(std::exchange(other.pipe_, -1)),
      log_(std::exchange(other.log_, -1)),
      child_(std::exchange(other.child_, -1)) {}

Feed::~Feed() {
    if (child_ > 0) ::kill(child_, SIGKILL);
    if (pipe_ >= 0) ::close(pipe_);
    if (child_ > 0) ::waitpid(child_, nullptr, 0);
    if (log_ >= 0) ::close(log_);
}

int Feed::start(const std::vector<std::string>& command) {
    std::array<int, 2> ends{};
    log_ = ::memfd_create("said", MFD_CLOEXEC);
    if (log_ < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
    pipe_ = ends[1];
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, log_, STDERR_FILENO);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t child = -1;
    const int failed = ::posix_spawnp(&child, words[0], &actions, &attributes, words.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    if (failed == 0) child_ = child;
    return failed;
}

bool Feed::write(const void* bytes, std::size_t count) {
    const NoBrokenPipe guard;
    const auto* at = static_cast<const char*>(bytes);
    while (count > 0) {
        const ::ssize_t written = ::write(pipe_, at, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        count -= static_cast<std::size_t>(written);
    }
    return true;
}

Feed::Ended Feed::finish() {
    ::close(std::exchange(pipe_, -1));
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {}
    child_ = -1;
    std::string said(4096, '\0');
    const ::off_t size = std::max<::off_t>(0, ::lseek(log_, 0, SEEK_END));
    const ::ssize_t read = ::pread(log_, said.data(), said.size(),
                                   std::max<::off_t>(0, size - static_cast<::off_t>(said.size())));
    said.resize(static_cast<std::size_t>(std::max<::ssize_t>(0, read)));
    return {WIFEXITED(status) && WEXITSTATUS(status) == 0, std::move(said)};
}

}  // namespace posiscope::platform
