// posiscope.exe: starts posiscope.com, which lies beside it, with the same words and without a console. Where that ends with
// an error, what it said is shown.
#include <array>
#include <string>

#include <windows.h>

namespace {

constexpr UINT kFailed = 1;

// The words behind the program's own name, as they were given.
const wchar_t* words_of(const wchar_t* line) {
    const wchar_t end = *line == L'"' ? L'"' : L' ';
    if (end == L'"') ++line;
    while (*line != 0 && *line != end) ++line;
    return *line == L'"' ? line + 1 : line;
}

std::wstring wide(const std::string& text) {
    std::wstring result(text.size(), L'\0');
    const int size = ::MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()),
                                           result.data(), static_cast<int>(result.size()));
    result.resize(static_cast<std::size_t>(size));
    return result;
}

UINT show(const std::wstring& text) {
    ::MessageBoxW(nullptr, text.c_str(), L"Posiscope", MB_OK | MB_ICONERROR);
    return kFailed;
}

// The last of what it says, heard on a thread: whatever it has started may hold the pipe longer than it lives.
struct Heard {
    HANDLE pipe = nullptr;
    std::string said;
};

DWORD WINAPI hear(void* heard) {
    constexpr std::size_t kMost = 4000;
    auto& [pipe, said] = *static_cast<Heard*>(heard);
    std::array<char, 1024> piece{};
    DWORD count = 0;
    while (::ReadFile(pipe, piece.data(), static_cast<DWORD>(piece.size()), &count, nullptr) != 0 &&
           count > 0) {
        said.append(piece.data(), count);
        if (said.size() > kMost) said.erase(0, said.size() - kMost);
    }
    return 0;
}

}  // namespace

int WINAPI wWinMain(HINSTANCE, HINSTANCE, PWSTR, int) {
    std::array<wchar_t, 32768> name{};
    const DWORD length = ::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
    std::wstring program(name.data(), length);
    program = program.substr(0, program.find_last_of(L"\\/") + 1) + L"posiscope.com";
    std::wstring line = L"\"" + program + L"\"" + words_of(::GetCommandLineW());

    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    HANDLE reading = nullptr, writing = nullptr;
    if (::CreatePipe(&reading, &writing, &inherited, 0) == 0) return static_cast<int>(kFailed);
    ::SetHandleInformation(reading, HANDLE_FLAG_INHERIT, 0);
    STARTUPINFOW start{};
    start.cb = sizeof start;
    start.dwFlags = STARTF_USESTDHANDLES;
    start.hStdError = writing;
    PROCESS_INFORMATION started{};
    const BOOL well = ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW,
                                       nullptr, nullptr, &start, &started);
    ::CloseHandle(writing);
    if (well == 0) return static_cast<int>(show(program + L" cannot be started. 无法启动。"));
    ::AllowSetForegroundWindow(started.dwProcessId);
    Heard heard;
    heard.pipe = reading;
    const HANDLE hearing = ::CreateThread(nullptr, 0, hear, &heard, 0, nullptr);
    ::WaitForSingleObject(started.hProcess, INFINITE);
    DWORD code = 0;
    ::GetExitCodeProcess(started.hProcess, &code);
    constexpr DWORD kLastWords = 500;  // milliseconds
    if (code != 0 && ::WaitForSingleObject(hearing, kLastWords) == WAIT_OBJECT_0 && !heard.said.empty())
        show(wide(heard.said));
    // The thread may still wait.
    ::ExitProcess(code);
}
