#include "app/platform/feed.hpp"

#include "app/platform/windows/child.hpp"
#include "core/os/windows/errors.hpp"

#include <algorithm>
#include <utility>

#include <windows.h>

namespace posiscope::platform {

struct Feed::Running {
    Child child;  // whose job ends it
    Handle pipe, log;
};

Feed::Feed() = default;
Feed::Feed(Feed&& other) noexcept = default;

Feed::~Feed() {
    if (!running_) return;
    running_->child.job.reset();
    ::WaitForSingleObject(running_->child.process.get(), INFINITE);
}

int Feed::process() const { return running_ ? running_->child.number : -1; }

int Feed::start(const std::vector<std::string>& command) {
    auto started = std::make_unique<Running>();
    started->log = nameless_file();
    Ends ends;
    if (!started->log || !make_pipe(ends)) return os::errno_of(::GetLastError());
    started->pipe = std::move(ends.writing);
    const Streams streams{.input = ends.reading.get(), .errors = started->log.get()};
    if (const int error = started->child.start(command, streams); error != 0) return error;
    running_ = std::move(started);
    return 0;
}

bool Feed::write(const void* bytes, std::size_t count) {
    const auto* at = static_cast<const char*>(bytes);
    while (count > 0) {
        DWORD written = 0;
        const auto piece = static_cast<DWORD>(std::min<std::size_t>(count, std::size_t{1} << 20));
        if (::WriteFile(running_->pipe.get(), at, piece, &written, nullptr) == 0 || written == 0)
            return false;
        at += written;
        count -= written;
    }
    return true;
}

Feed::Ended Feed::finish() {
    running_->pipe.reset();
    ::WaitForSingleObject(running_->child.process.get(), INFINITE);
    const bool well = running_->child.well();
    std::string said(4096, '\0');
    LARGE_INTEGER size{}, from{};
    ::GetFileSizeEx(running_->log.get(), &size);
    from.QuadPart = std::max<std::int64_t>(0, size.QuadPart - static_cast<std::int64_t>(said.size()));
    DWORD count = 0;
    if (::SetFilePointerEx(running_->log.get(), from, nullptr, FILE_BEGIN) != 0)
        ::ReadFile(running_->log.get(), said.data(), static_cast<DWORD>(said.size()), &count, nullptr);
    said.resize(count);
    running_.reset();
    return {well, std::move(said)};
}

}  // namespace posiscope::platform
