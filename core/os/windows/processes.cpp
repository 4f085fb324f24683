#include "core/os/processes.hpp"

#include "core/os/windows/errors.hpp"

#include <string>

#include <windows.h>

namespace posiscope::os {
namespace {

void (*before_the_end)() = nullptr;

// Ctrl C, Ctrl Break, a console that is closed, the end of the session: on a thread of its own, then as usual.
BOOL WINAPI interrupted(DWORD) {
    before_the_end();
    return FALSE;
}

void CALLBACK asked(void*, BOOLEAN) { end_as_interrupted(); }

// Set by whoever asks that process to end: a window's exports share no console with it.
std::wstring asking(DWORD process) { return L"Local\\posiscope-end-" + std::to_wstring(process); }

}  // namespace

int own_number() { return static_cast<int>(::GetCurrentProcessId()); }

bool runs(int process) {
    const HANDLE other = ::OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(process));
    if (other == nullptr) return ::GetLastError() != ERROR_INVALID_PARAMETER;  // there is none
    const bool running = ::WaitForSingleObject(other, 0) == WAIT_TIMEOUT;
    ::CloseHandle(other);
    return running;
}

void ask_to_end(int process) {
    if (const HANDLE event =
            ::OpenEventW(EVENT_MODIFY_STATE, FALSE, asking(static_cast<DWORD>(process)).c_str());
        event != nullptr) {
        ::SetEvent(event);
        ::CloseHandle(event);
        return;
    }
    // It has only just begun, or is another program.
    if (const HANDLE other = ::OpenProcess(PROCESS_TERMINATE, FALSE, static_cast<DWORD>(process));
        other != nullptr) {
        ::TerminateProcess(other, 1);
        ::CloseHandle(other);
    }
}

// Whoever started it holds it, so that its number stays its own.
void end_child(int process) {
    const HANDLE child = ::OpenProcess(PROCESS_TERMINATE | SYNCHRONIZE, FALSE, static_cast<DWORD>(process));
    if (child == nullptr) return;
    if (::TerminateProcess(child, 1) != 0) ::WaitForSingleObject(child, INFINITE);
    ::CloseHandle(child);
}

void say_error(std::string_view sentence) {
    DWORD written = 0;
    ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), sentence.data(), static_cast<DWORD>(sentence.size()),
                &written, nullptr);
}

void end_now(int code) {
    ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(code));
    __builtin_unreachable();
}

void end_as_interrupted() {
    if (before_the_end != nullptr) before_the_end();
    end_now(static_cast<int>(STATUS_CONTROL_C_EXIT));
}

void when_interrupted(void (*first)()) {
    before_the_end = first;
    ::SetConsoleCtrlHandler(interrupted, TRUE);
    const HANDLE event = ::CreateEventW(nullptr, TRUE, FALSE, asking(::GetCurrentProcessId()).c_str());
    HANDLE waiting = nullptr;  // until the process ends
    if (event != nullptr)
        ::RegisterWaitForSingleObject(&waiting, event, asked, nullptr, INFINITE, WT_EXECUTEONLYONCE);
}

}  // namespace posiscope::os
