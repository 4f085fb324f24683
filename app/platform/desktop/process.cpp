#include "app/platform/process.hpp"

#include "app/platform/desktop/parent.hpp"
#include "core/os/processes.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>
#include <utility>

extern char** environ;

namespace posiscope::platform {
namespace {

// An unnamed file for its input: a pipe would have to be fed while the program runs.
struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using Input = std::unique_ptr<std::FILE, Close>;
Input input_of(std::string_view bytes) {
    Input file(std::tmpfile());
    if (!file) return file;
    ::fcntl(::fileno(file.get()), F_SETFD, FD_CLOEXEC);
    if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
        std::fflush(file.get()) != 0 || std::fseek(file.get(), 0, SEEK_SET) != 0)
        file.reset();
    return file;
}

}  // namespace

std::string own_program() { return "/proc/self/exe"; }
void begin_process() {
    std::signal(SIGXFSZ, SIG_IGN);
    // The wrong way round: reading and writing there fail as they did.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}
void end_with_parent() {
    const char* const parent = std::getenv(kParentVariable);
    if (parent == nullptr) return;
    const std::string before = parent;
    ::unsetenv(kParentVariable);  // not for what this one starts
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (std::to_string(::getppid()) != before) std::raise(SIGTERM);  // it had ended already
#endif
}
bool somebody_watches() { return ::isatty(STDERR_FILENO) != 0; }
std::string standard_input_path() { return "/dev/stdin"; }

struct Process::Running {
    ::pid_t child = 0;
    int output = -1;
};

Process::Process(std::function<void()> wake) : wake_(std::move(wake)) {}

Process::~Process() {
    stop();
    finish();
}

bool Process::running() const { return running_ != nullptr; }

void Process::stop() {
    if (running_) os::ask_to_end(running_->child);
}

void Process::finish() {
    listener_.wait();
    if (!running_) return;
    if (running_->output >= 0) ::close(running_->output);
    int status = 0;
    ::waitpid(running_->child, &status, 0);
    well_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    running_.reset();
}

int Process::start(const std::vector<std::string>& command, Hear hear, std::string_view input) {
    if (running()) return EBUSY;
    if (!listener_.has_thread()) return EAGAIN;
    Input given;
    if (!input.empty() && !(given = input_of(input))) return errno != 0 ? errno : EIO;
    int ends[2] = {-1, -1};
    if (hear != Hear::nothing && ::pipe2(ends, O_CLOEXEC) != 0) return errno;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    if (given) ::posix_spawn_file_actions_adddup2(&actions, ::fileno(given.get()), STDIN_FILENO);
    else ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const auto& [stream, heard] :
         {std::pair(STDOUT_FILENO, Hear::output), std::pair(STDERR_FILENO, Hear::errors)}) {
        if (hear == heard) ::posix_spawn_file_actions_adddup2(&actions, ends[1], stream);
        else ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    }
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::pid_t child = 0;
    const int error = ::posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (ends[1] >= 0) ::close(ends[1]);
    if (error != 0) {
        if (ends[0] >= 0) ::close(ends[0]);
        return error;
    }
    running_ = std::make_unique<Running>();
    running_->child = child;
    running_->output = ends[0];
    said_.clear();
    ended_ = false;
    listener_.start([this] { return listen(), false; });
    return 0;
}

// Reads its output until it closes that, then waits for its end. The child is not reaped here, so that its number stays its own.
void Process::listen() {
    char piece[4096];
    while (running_->output >= 0) {
        const ::ssize_t count = ::read(running_->output, piece, sizeof(piece));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        {
            const std::lock_guard lock(saying_);
            said_.append(piece, static_cast<std::size_t>(count));
        }
        wake_();
    }
    siginfo_t info;
    while (::waitid(P_PID, static_cast<::id_t>(running_->child), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {}
    ended_ = true;
    wake_();
}

std::string Process::said(std::size_t most) const {
    const std::lock_guard lock(saying_);
    return said_.substr(said_.size() - std::min(most, said_.size()));
}

std::optional<Process::Ended> Process::take() {
    if (!running() || !ended_) return std::nullopt;
    finish();
    return Ended{well_, std::exchange(said_, {})};
}

}  // namespace posiscope::platform
