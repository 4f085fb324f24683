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

struct Feed::Running {
    int pipe = -1;
    int log = -1;  // its standard error, in memory because the disk may be full
    int child = -1;

    Running() = default;
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() {
        if (child > 0) ::kill(child, SIGKILL);
        if (pipe >= 0) ::close(pipe);
        if (child > 0) ::waitpid(child, nullptr, 0);
        if (log >= 0) ::close(log);
    }
};

Feed::Feed() = default;
Feed::Feed(Feed&& other) noexcept = default;
Feed::~Feed() = default;

int Feed::process() const { return running_ ? running_->child : -1; }

int Feed::start(const std::vector<std::string>& command) {
    std::array<int, 2> ends{};
    auto started = std::make_unique<Running>();
    started->log = ::memfd_create("said", MFD_CLOEXEC);
    if (started->log < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
    started->pipe = ends[1];
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, started->log, STDERR_FILENO);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t child = -1;
    const int failed = ::posix_spawnp(&child, words[0], &actions, &attributes, words.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    if (failed != 0) return failed;
    started->child = child;
    running_ = std::move(started);
    return 0;
}

bool Feed::write(const void* bytes, std::size_t count) {
    const NoBrokenPipe guard;
    const auto* at = static_cast<const char*>(bytes);
    while (count > 0) {
        const ::ssize_t written = ::write(running_->pipe, at, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        count -= static_cast<std::size_t>(written);
    }
    return true;
}

Feed::Ended Feed::finish() {
    ::close(std::exchange(running_->pipe, -1));
    int status = 0;
    while (::waitpid(running_->child, &status, 0) < 0 && errno == EINTR) {}
    running_->child = -1;
    std::string said(4096, '\0');
    const ::off_t size = std::max<::off_t>(0, ::lseek(running_->log, 0, SEEK_END));
    const ::ssize_t read = ::pread(running_->log, said.data(), said.size(),
                                   std::max<::off_t>(0, size - static_cast<::off_t>(said.size())));
    said.resize(static_cast<std::size_t>(std::max<::ssize_t>(0, read)));
    running_.reset();
    return {WIFEXITED(status) && WEXITSTATUS(status) == 0, std::move(said)};
}

}  // namespace posiscope::platform
