#include "app/platform/attempt.hpp"

#include <fcntl.h>
#include <io.h>
#include <utility>

#include <windows.h>

namespace posiscope::platform {

// Nobody else may open it as long as this holds it.
Attempt::Attempt(const std::filesystem::path& file) {
    std::error_code ignored;
    if (file.parent_path().empty()) return;
    std::filesystem::create_directories(file.parent_path(), ignored);
    const HANDLE held = ::CreateFileW(file.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS,
                                      FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (held == INVALID_HANDLE_VALUE) return;
    file_ = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(held), _O_RDWR | _O_BINARY);
    if (file_ >= 0) last_failed_ = ::_filelengthi64(file_) > 0 && ::_chsize(file_, 0) == 0;
    else ::CloseHandle(held);
}

Attempt::~Attempt() {
    if (file_ >= 0) ::_close(file_);
}

void Attempt::begin() {
    under_way_ = file_ >= 0 && ::_lseek(file_, 0, SEEK_SET) == 0 && ::_write(file_, "1\n", 2) == 2;
}

void Attempt::succeed() {
    if (std::exchange(under_way_, false)) (void)::_chsize(file_, 0);
}

}  // namespace posiscope::platform
