#include "core/os/processes.hpp"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace posiscope::os {
namespace {

void (*before_the_end)() = nullptr;

void interrupted(int signal) {
    before_the_end();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

int own_number() { return static_cast<int>(::getpid()); }

bool runs(int process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

void ask_to_end(int process) { ::kill(process, SIGTERM); }

// Still a child of ours, or its number may be somebody else's by now.
void end_child(int process) {
    if (::waitpid(process, nullptr, WNOHANG) != 0) return;
    ::kill(process, SIGKILL);
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {}
}

void say_error(std::string_view sentence) {
#ifndef __EMSCRIPTEN__
    // SIGPIPE comes to the thread that writes: it is held there, and taken out where it was not waiting before.
    sigset_t pipe, held, waiting;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe, &held);
    ::sigpending(&waiting);
#endif
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
#ifndef __EMSCRIPTEN__
    constexpr timespec at_once{};
    if (written < 0 && errno == EPIPE && ::sigismember(&waiting, SIGPIPE) == 0)
        ::sigtimedwait(&pipe, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &held, nullptr);
#endif
}

void end_now(int code) { ::_exit(code); }

void when_interrupted(void (*first)()) {
    before_the_end = first;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
        if (std::signal(signal, interrupted) == SIG_IGN) std::signal(signal, SIG_IGN);  // respects nohup
}

}  // namespace posiscope::os
