// gate.hpp — lets a test decide what happens first: threads wait at it until another opens it.
#pragma once

#include <condition_variable>
#include <mutex>

namespace posiscope::test {

class Gate {
public:
    void open() {
        {
            const std::lock_guard lock(mutex_);
            open_ = true;
        }
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return open_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
};

}  // namespace posiscope::test
