#include "app/platform/interruption.hpp"

#include "core/os/windows/errors.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <utility>

#include <windows.h>

namespace posiscope::platform {
namespace {

// The state that the console's thread and the system's messages may touch.
std::atomic<bool> asked_to_end = false;
std::array<HANDLE, 2> tellings = {nullptr, nullptr};  // events: it was asked; nobody listens any more
constexpr wchar_t kListener[] = L"PosiscopeEndOfSession";
constexpr DWORD kToSave = 4000;  // milliseconds: Windows waits for five seconds

BOOL WINAPI note(DWORD kind) {
    if (asked_to_end.exchange(true) && kind <= CTRL_BREAK_EVENT) return FALSE;  // the second one
    if (tellings[0] != nullptr) ::SetEvent(tellings[0]);
    // After these the system ends the program as soon as this function returns, or in five seconds.
    if (kind > CTRL_BREAK_EVENT) ::Sleep(INFINITE);
    return TRUE;
}

// A program with a window is not told of the session's end by its console, but by a message to its windows, and is ended as
// soon as each has answered. So the answer of this one, which nobody sees, waits for what is saved.
LRESULT CALLBACK answer(HWND window, UINT message, WPARAM first, LPARAM second) {
    if (message == WM_QUERYENDSESSION) return TRUE;
    if (message != WM_ENDSESSION || first == 0) return ::DefWindowProcW(window, message, first, second);
    asked_to_end = true;
    (*reinterpret_cast<const std::function<void()>*>(::GetWindowLongPtrW(window, GWLP_USERDATA)))();
    ::WaitForSingleObject(tellings[1], kToSave);
    return 0;
}

HWND make_listener(const std::function<void()>& told) {
    WNDCLASSW kind{};
    kind.lpfnWndProc = answer;
    kind.hInstance = ::GetModuleHandleW(nullptr);
    kind.lpszClassName = kListener;
    ::RegisterClassW(&kind);  // once a process
    const HWND made = ::CreateWindowExW(0, kListener, L"", WS_OVERLAPPED, 0, 0, 0, 0, nullptr, nullptr,
                                        kind.hInstance, nullptr);
    if (made != nullptr) ::SetWindowLongPtrW(made, GWLP_USERDATA, reinterpret_cast<LONG_PTR>(&told));
    return made;
}

}  // namespace

Interruption::Interruption(std::function<void()> told) : told_(std::move(told)) {
    if (!listener_.has_thread()) return;
    for (HANDLE& telling : tellings) telling = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
    listener_.start([this] { return listen(), false; });
    install();
}

Interruption::Interruption() { install(); }

void Interruption::install() {
    installed_ = true;
    asked_to_end = false;
    ::SetConsoleCtrlHandler(note, TRUE);
}

void Interruption::listen() {
    const HWND listener = make_listener(told_);
    DWORD came = 0;
    // The system's messages are answered within PeekMessage.
    while ((came = ::MsgWaitForMultipleObjects(2, tellings.data(), FALSE, INFINITE, QS_ALLINPUT)) ==
           WAIT_OBJECT_0 + 2) {
        MSG message;
        while (::PeekMessageW(&message, nullptr, 0, 0, PM_REMOVE) != 0) ::DispatchMessageW(&message);
    }
    if (came == WAIT_OBJECT_0) told_();
    if (listener != nullptr) ::DestroyWindow(listener);
}

Interruption::~Interruption() {
    if (installed_) ::SetConsoleCtrlHandler(note, FALSE);
    if (tellings[1] != nullptr) ::SetEvent(tellings[1]);
    listener_.wait();
    for (HANDLE& telling : tellings)
        if (telling != nullptr) ::CloseHandle(std::exchange(telling, nullptr));
}

bool Interruption::asked() const { return asked_to_end; }

void Interruption::pass_on() {
    if (asked_to_end.exchange(false)) os::end_as_interrupted();
}

}  // namespace posiscope::platform
