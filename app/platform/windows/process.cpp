#include "app/platform/process.hpp"

#include "app/platform/windows/child.hpp"
#include "core/os/files.hpp"
#include "core/os/processes.hpp"
#include "core/os/windows/errors.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <io.h>

#include <windows.h>

namespace posiscope::platform {
namespace {

UINT usual_code_page = 0;  // of the console's output, which others use after this program

}  // namespace

std::string own_program() {
    std::array<wchar_t, 32768> path{};
    const DWORD length = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    return narrow({path.data(), length});
}

// A file has no limit here; but text is UTF-8, and its lines end as they are written.
void begin_process() {
    for (std::FILE* stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
    usual_code_page = ::GetConsoleOutputCP();
    if (usual_code_page == 0 || usual_code_page == CP_UTF8) return;
    ::SetConsoleOutputCP(CP_UTF8);
    std::atexit([] { ::SetConsoleOutputCP(usual_code_page); });
}

void end_with_parent() {}  // the job that it is started in ends it (child.cpp)

bool somebody_watches() {
    DWORD mode = 0;
    return ::GetConsoleMode(::GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}

std::string standard_input_path() { return "/dev/stdin"; }  // core/os/windows/files.cpp knows it

struct Process::Running {
    Child child;
    Handle output;
};

Process::Process(std::function<void()> wake) : wake_(std::move(wake)) {}

Process::~Process() {
    stop();
    finish();
}

void Process::stop() {
    if (running_) os::ask_to_end(running_->child.number);
}

void Process::finish() {
    listener_.wait();
    if (!running_) return;
    well_ = running_->child.well();
    running_.reset();
}

int Process::start(const std::vector<std::string>& command, Hear hear, std::string_view input) {
    if (running()) return EBUSY;
    if (!listener_.has_thread()) return EAGAIN;
    Handle given;
    if (!input.empty()) {
        given = nameless_file();
        DWORD written = 0;
        if (!given ||
            ::WriteFile(given.get(), input.data(), static_cast<DWORD>(input.size()), &written, nullptr) ==
                0 ||
            written != input.size() || ::SetFilePointer(given.get(), 0, nullptr, FILE_BEGIN) != 0)
            return os::errno_of(::GetLastError());
    }
    Ends ends;
    if (hear != Hear::nothing && !make_pipe(ends)) return os::errno_of(::GetLastError());
    auto started = std::make_unique<Running>();
    const Streams streams{.input = given.get(),
                          .output = hear == Hear::output ? ends.writing.get() : nullptr,
                          .errors = hear == Hear::errors ? ends.writing.get() : nullptr};
    if (const int error = started->child.start(command, streams); error != 0) return error;
    started->output = std::move(ends.reading);
    running_ = std::move(started);
    said_.clear();
    ended_ = false;
    listener_.start([this] { return listen(), false; });
    return 0;
}

// Reads its output until it closes that, then waits until it has ended.
void Process::listen() {
    std::array<char, 4096> piece{};
    DWORD count = 0;
    while (running_->output && ::ReadFile(running_->output.get(), piece.data(),
                                          static_cast<DWORD>(piece.size()), &count, nullptr) != 0) {
        if (count == 0) continue;  // a write of nothing
        {
            const std::lock_guard lock(saying_);
            said_.append(piece.data(), count);
        }
        wake_();
    }
    ::WaitForSingleObject(running_->child.process.get(), INFINITE);
    ended_ = true;
    wake_();
}

bool Process::running() const { return running_ != nullptr; }

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
