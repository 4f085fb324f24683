// late_writes.hpp — writes files that change often: each a little after its last change, on a thread, one at a time. A write
// that failed is kept, tried again later, and told whenever it has newly failed.
#pragma once

#include "core/jobs/pool.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

namespace posiscope::workbench {

struct LateWriteWaits {
    std::chrono::milliseconds quiet{500};     // after the last change of a file
    std::chrono::milliseconds longest{3000};  // after its first change that is not written
    std::chrono::milliseconds again{5000};    // after a failure
};

class LateWrites {
public:
    // `threads`: whether there may be one; without it put() writes at once. `wake`: a failure is there to be told.
    LateWrites(bool threads, std::function<void()> wake, LateWriteWaits waits = {});
    ~LateWrites();  // writes everything

    // The function holds the value to write. It replaces one of that name that is not written yet.
    using Write = std::function<Result<void>()>;
    void put(const std::string& name, Write write);
    // Tries now to write what is not written, and waits for it.
    void finish();

    // Files that have failed since they were last written, each once.
    std::vector<Problem> take_failures();
    std::size_t written() const {
        return written_;
    }  // how many writes have succeeded; asked where there are no threads

private:
    using Clock = std::chrono::steady_clock;
    struct Entry {
        Write write;  // null: it is written
        Clock::time_point first, due;
        bool failed = false, tried = false;  // tried: since finish() began
    };
    bool work();
    void write(Entry& entry, std::unique_lock<std::mutex>& lock);

    const LateWriteWaits waits_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, Entry> entries_;
    std::vector<Problem> failures_;
    std::size_t written_ = 0;
    bool hurries_ = false, working_ = false;
    jobs::Pool pool_;  // the last member: its thread ends first
};

}  // namespace posiscope::workbench
