#include "app/platform/windows/child.hpp"

#include "core/os/windows/errors.hpp"

#include <array>
#include <cerrno>
#include <filesystem>

#include <windows.h>

namespace posiscope::platform {
namespace {

std::wstring found(const std::string& name) {
    const std::wstring words = wide(name);
    if (name.find_first_of("/\\") != std::string::npos) return words;
    std::array<wchar_t, 32768> path{};
    const DWORD length =
        ::SearchPathW(nullptr, words.c_str(), L".exe", static_cast<DWORD>(path.size()), path.data(), nullptr);
    return {path.data(), length < path.size() ? length : 0};
}

// Another program gets it too.
HANDLE given(HANDLE stream, DWORD access, Handle& own) {
    if (stream == nullptr) {
        own.reset(::CreateFileW(L"NUL", access, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0,
                                nullptr));
        stream = own.get();
    }
    HANDLE copy = nullptr;
    if (::DuplicateHandle(::GetCurrentProcess(), stream, ::GetCurrentProcess(), &copy, 0, TRUE,
                          DUPLICATE_SAME_ACCESS) == 0)
        return nullptr;
    own.reset(copy);
    return copy;
}

Handle job_that_ends_with_this_process() {
    Handle job(::CreateJobObjectW(nullptr, nullptr));
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (job) ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

}  // namespace

void CloseHandle::operator()(void* handle) const {
    if (handle != INVALID_HANDLE_VALUE) ::CloseHandle(handle);
}

std::wstring wide(std::string_view text) {
    const int size = static_cast<int>(text.size());
    std::wstring result(
        static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)), L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, result.data(), static_cast<int>(result.size()));
    return result;
}

std::string narrow(std::wstring_view text) {
    const int size = static_cast<int>(text.size());
    std::string result(static_cast<std::size_t>(::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr,
                                                                      0, nullptr, nullptr)),
                       '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), static_cast<int>(result.size()),
                          nullptr, nullptr);
    return result;
}

std::wstring command_line(const std::vector<std::string>& words) {
    std::wstring line;
    for (const std::string& word : words) {
        if (!line.empty()) line += L' ';
        line += L'"';
        std::size_t slashes = 0;
        for (const wchar_t c : wide(word)) {
            if (c == L'"') line.append(slashes + 1, L'\\');  // those before it count twice
            slashes = c == L'\\' ? slashes + 1 : 0;
            line += c;
        }
        line.append(slashes, L'\\');
        line += L'"';
    }
    return line;
}

int Child::start(const std::vector<std::string>& command, const Streams& streams) {
    const std::wstring program = found(command.front());
    if (program.empty()) return ENOENT;
    std::array<Handle, 3> own;
    std::array<HANDLE, 3> handed = {given(streams.input, GENERIC_READ, own[0]),
                                    given(streams.output, GENERIC_WRITE, own[1]),
                                    given(streams.errors, GENERIC_WRITE, own[2])};
    for (const HANDLE one : handed)
        if (one == nullptr) return EMFILE;
    // These handles and no others: those of a start at the same time on another thread, say.
    SIZE_T size = 0;
    ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    std::vector<std::byte> room(size);
    auto* const list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(room.data());
    if (::InitializeProcThreadAttributeList(list, 1, 0, &size) == 0) return ENOMEM;
    ::UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handed.data(),
                                handed.size() * sizeof(HANDLE), nullptr, nullptr);
    STARTUPINFOEXW start{};
    start.StartupInfo.cb = sizeof start;
    start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    start.StartupInfo.hStdInput = handed[0];
    start.StartupInfo.hStdOutput = handed[1];
    start.StartupInfo.hStdError = handed[2];
    start.lpAttributeList = list;
    std::wstring line = command_line(command);
    PROCESS_INFORMATION started{};
    const DWORD flags = EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED |
                        (streams.share_console ? 0 : static_cast<DWORD>(CREATE_NO_WINDOW));
    const BOOL well = ::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, flags, nullptr,
                                       nullptr, &start.StartupInfo, &started);
    const DWORD error = ::GetLastError();
    ::DeleteProcThreadAttributeList(list);
    if (well == 0) return os::errno_of(error);
    job = job_that_ends_with_this_process();
    if (job) ::AssignProcessToJobObject(job.get(), started.hProcess);
    ::ResumeThread(started.hThread);
    ::CloseHandle(started.hThread);
    process.reset(started.hProcess);
    number = static_cast<int>(started.dwProcessId);
    return 0;
}

bool Child::well() const {
    DWORD code = 1;
    return process && ::GetExitCodeProcess(process.get(), &code) != 0 && code == 0;
}

bool make_pipe(Ends& ends) {
    HANDLE reading = nullptr, writing = nullptr;
    if (::CreatePipe(&reading, &writing, nullptr, 0) == 0) return false;
    ends.reading.reset(reading);
    ends.writing.reset(writing);
    return true;
}

Handle nameless_file() {
    std::array<wchar_t, MAX_PATH + 1> folder{}, name{};
    if (::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data()) == 0 ||
        ::GetTempFileNameW(folder.data(), L"pos", 0, name.data()) == 0)
        return {};
    const HANDLE file = ::CreateFileW(
        name.data(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
        nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
    return Handle(file == INVALID_HANDLE_VALUE ? nullptr : file);
}

}  // namespace posiscope::platform
