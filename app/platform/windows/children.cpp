#include "app/platform/children.hpp"

#include "app/platform/process.hpp"
#include "app/platform/windows/child.hpp"
#include "core/os/processes.hpp"
#include "core/os/windows/errors.hpp"

#include <algorithm>

#include <windows.h>

namespace posiscope::platform {
namespace {

// Set by the thread on which the console tells of Ctrl C.
HANDLE interrupted = nullptr;

BOOL WINAPI hold(DWORD) { return ::SetEvent(interrupted); }

}  // namespace

struct Children::State {
    Handle event{::CreateEventW(nullptr, TRUE, FALSE, nullptr)};
    std::vector<Child> running;
    bool passes_on = false;
};

Children::Children() : state_(std::make_unique<State>()) {
    interrupted = state_->event.get();
    ::SetConsoleCtrlHandler(hold, TRUE);
}

Children::~Children() {
    ::SetConsoleCtrlHandler(hold, FALSE);
    if (state_->passes_on || ::WaitForSingleObject(interrupted, 0) == WAIT_OBJECT_0) os::end_as_interrupted();
}

bool Children::any() const { return !state_->running.empty(); }

int Children::start(const std::vector<std::string>& words) {
    std::vector<std::string> command = words;
    command.front() = own_program();
    Child child;
    const Streams streams{.input = ::GetStdHandle(STD_INPUT_HANDLE),
                          .output = ::GetStdHandle(STD_OUTPUT_HANDLE),
                          .errors = ::GetStdHandle(STD_ERROR_HANDLE),
                          .share_console = true};
    if (child.start(command, streams) != 0) return -1;
    state_->running.push_back(std::move(child));
    return state_->running.back().number;
}

std::vector<Children::Ended> Children::wait() {
    std::vector<Child>& running = state_->running;
    std::vector<Ended> ended;
    while (ended.empty() && !running.empty()) {
        // The system waits for so many at a time, less one for the interruption; the others get their turn.
        std::vector<HANDLE> awaited{interrupted};
        for (const Child& child : running)
            if (awaited.size() < MAXIMUM_WAIT_OBJECTS) awaited.push_back(child.process.get());
        ::WaitForMultipleObjects(static_cast<DWORD>(awaited.size()), awaited.data(), FALSE, 1000);
        if (::WaitForSingleObject(interrupted, 0) == WAIT_OBJECT_0) {
            for (const Child& child : running) os::ask_to_end(child.number);
            for (const Child& child : running) ::WaitForSingleObject(child.process.get(), INFINITE);
            running.clear();
            state_->passes_on = true;
            return {};
        }
        std::erase_if(running, [&](const Child& child) {
            if (::WaitForSingleObject(child.process.get(), 0) != WAIT_OBJECT_0) return false;
            ended.push_back({child.number, child.well()});
            return true;
        });
    }
    return ended;
}

}  // namespace posiscope::platform
