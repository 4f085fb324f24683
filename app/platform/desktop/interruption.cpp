#include "app/platform/interruption.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace posiscope::platform {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// Variables that a signal handler may touch.
std::atomic<int> asked_by = 0;
std::array<int, 2> tellings = {-1, -1};  // a pipe
std::array<struct sigaction, kSignals.size()> usual_actions;

void note_signal(int signal) {
    const int error = errno;
    if (asked_by.exchange(signal) != 0) {  // the second one
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            if (kSignals.at(i) == signal) ::sigaction(signal, &usual_actions.at(i), nullptr);
        std::raise(signal);
    } else if (tellings[1] >= 0) {
        [[maybe_unused]] const auto written = ::write(tellings[1], "", 1);
    }
    errno = error;
}

}  // namespace

Interruption::Interruption(std::function<void()> told) : told_(std::move(told)) {
    if (!listener_.has_thread() || ::pipe2(tellings.data(), O_CLOEXEC) != 0) return;
    listener_.start([this] { return listen(), false; });
    install();
}

Interruption::Interruption() { install(); }

void Interruption::install() {
    installed_ = true;
    asked_by = 0;
    struct sigaction action {};
    action.sa_handler = note_signal;
    ::sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals.at(i), nullptr, &usual_actions.at(i));
        if (usual_actions.at(i).sa_handler != SIG_IGN)
            ::sigaction(kSignals.at(i), &action, nullptr);  // respects nohup
    }
}

void Interruption::listen() {
    char byte = 0;
    for (;;) {
        const ::ssize_t count = ::read(tellings[0], &byte, 1);
        if (count == 1) told_();
        else if (count == 0 || errno != EINTR) return;
    }
}

Interruption::~Interruption() {
    if (installed_)
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            ::sigaction(kSignals.at(i), &usual_actions.at(i), nullptr);
    if (tellings[1] >= 0) ::close(std::exchange(tellings[1], -1));
    listener_.wait();
    if (tellings[0] >= 0) ::close(std::exchange(tellings[0], -1));
}

bool Interruption::asked() const { return asked_by != 0; }

void Interruption::pass_on() {
    const int signal = asked_by.exchange(0);
    if (signal == 0) return;
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        ::sigaction(kSignals.at(i), &usual_actions.at(i), nullptr);
    std::raise(signal);
}

}  // namespace posiscope::platform
