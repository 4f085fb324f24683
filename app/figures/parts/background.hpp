// background.hpp — a thread for values that take longer than a frame may. In a window, a figure says that it is computing
// and goes on. Images and tests use no Background: every value is computed at once, so the result is always complete.
#pragma once

#include "core/problem.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace posiscope::figures {

// The longest computation on the window's own thread, in nanoseconds; longer ones go to the background.
inline constexpr double kPatience = 4e7;

// The problem a figure shows in the meantime.
const Problem& being_made();

class Background {
public:
    // `wake` is called from that thread whenever a job is done.
    explicit Background(std::function<void()> wake) : wake_window_(std::move(wake)) {}
    ~Background();  // waits for the running job; queued ones are dropped
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    // Queues a job for the thread. A job must not throw.
    void start(std::function<void()> job);
    bool working() const;

private:
    void work();

    std::function<void()> wake_window_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> jobs_;
    std::size_t unfinished_ = 0;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace posiscope::figures
