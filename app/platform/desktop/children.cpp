#include "app/platform/children.hpp"

#include "app/platform/desktop/parent.hpp"
#include "app/platform/process.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace posiscope::platform {

struct Children::State {
    sigset_t held{}, usual{};
    std::vector<pid_t> running;
};

Children::Children() : state_(std::make_unique<State>()) {
    ::sigemptyset(&state_->held);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
        ::sigaddset(&state_->held, signal);
    ::sigprocmask(SIG_BLOCK, &state_->held, &state_->usual);
}

Children::~Children() { ::sigprocmask(SIG_SETMASK, &state_->usual, nullptr); }

bool Children::any() const { return !state_->running.empty(); }

int Children::start(const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    std::string parent = fmt::format("{}={}", kParentVariable, ::getpid());
    std::vector<char*> variables = {parent.data()};
    for (char** one = environ; *one != nullptr; ++one) variables.push_back(*one);
    variables.push_back(nullptr);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setsigmask(&attributes, &state_->usual);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    pid_t child = -1;
    const int failed =
        ::posix_spawn(&child, own_program().c_str(), nullptr, &attributes, argv.data(), variables.data());
    ::posix_spawnattr_destroy(&attributes);
    if (failed != 0) return -1;
    state_->running.push_back(child);
    return child;
}

std::vector<Children::Ended> Children::wait() {
    std::vector<pid_t>& running = state_->running;
    std::vector<Ended> ended;
    while (ended.empty() && !running.empty()) {
        int signal = 0;
        ::sigwait(&state_->held, &signal);
        if (signal != SIGCHLD) {
            for (const pid_t child : running) ::kill(child, signal);
            for (const pid_t child : running) ::waitpid(child, nullptr, 0);
            running.clear();
            std::raise(signal);  // when it is let through again, this program ends by it too
            return {};
        }
        int status = 0;
        for (pid_t child = ::waitpid(-1, &status, WNOHANG); child > 0;
             child = ::waitpid(-1, &status, WNOHANG))
            if (const auto found = std::find(running.begin(), running.end(), child); found != running.end()) {
                running.erase(found);
                ended.push_back({child, WIFEXITED(status) && WEXITSTATUS(status) == 0});
            }
    }
    return ended;
}

}  // namespace posiscope::platform
