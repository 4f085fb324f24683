// background.hpp — a thread for values that take longer than a frame may. In a window, a figure says that it is computing
// and goes on. Images and tests use no Background: every value is computed at once, so the result is always complete.
#pragma once

#include "core/problem.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace posiscope::figures {

// Units of work (core/cost.hpp) that the figures of one frame may spend on values they keep, on the window's own thread:
// with a rough value in place of the one that did not fit, and the drawing, a frame stays under 60 ms.
inline constexpr double kFrameWork = 4e7;
// Of a rough value.
inline constexpr double kRoughWork = 4e6;
// Of an exact one, where less can be done: some twenty seconds.
inline constexpr double kExactWork = 2e10;

// The problem a figure shows in the meantime.
const Problem& being_made();

class Background {
public:
    // `wake` is called from that thread whenever a job is done.
    explicit Background(std::function<void()> wake) : wake_window_(std::move(wake)) {}
    ~Background();  // stops the running job; queued ones are dropped
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    // Called by the window's thread, which alone may ask how much it has left to spend.
    void begin_frame();
    double left() const;

    // Queues a job for the thread. A job must not throw, and ends soon after `stop` becomes true.
    using Stop = std::shared_ptr<std::atomic<bool>>;
    void start(std::function<void()> job, Stop stop);
    bool working() const;

private:
    struct Job {
        std::function<void()> run;
        Stop stop;
    };
    void work();

    std::function<void()> wake_window_;
    double frame_began_ = 0.0;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Job> jobs_;
    Stop running_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace posiscope::figures
