// background.hpp — a thread for values that take longer than a frame may. In a window, a figure says that it is computing
// and goes on. Images and tests use no Background: every value is computed at once, so the result is always complete.
#pragma once

#include "app/platform/host.hpp"
#include "core/jobs/pool.hpp"
#include "core/problem.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>

namespace posiscope::figures {

// Units of work (core/cost.hpp) that the figures of one frame may spend on values they keep, on the window's own thread:
// with a rough value in place of the one that did not fit, and the drawing, a frame stays under 60 ms.
inline constexpr double kFrameWork = 4e7;
// The work allowed for a rough value.
inline constexpr double kRoughWork = 4e6;
// The work allowed for an exact value, where less can be done: some twenty seconds.
inline constexpr double kExactWork = 2e10;

// The problem a figure shows in the meantime.
const Problem& being_made();

class Background {
public:
    // `wake` is called from that thread whenever a job is done. Without `threads`, begin_frame() does them.
    explicit Background(std::function<void()> wake, bool threads = platform::has_threads())
        : pool_({.threads = threads ? std::size_t{1} : 0, .ended = std::move(wake)}) {}

    // Called by the window's thread, which alone may ask how much it has left to spend.
    void begin_frame();
    double left() const;

    // Queues a job for the thread; spend() ends it after `stop`. It must not throw anything else.
    void start(std::function<void()> job, jobs::Stop stop);
    bool working() const { return !pool_.idle(); }
    // True if begin_frame() has to be called for it to go on.
    bool runs_inline() const { return pool_.runs_inline(); }

private:
    double frame_began_ = 0.0;
    std::chrono::steady_clock::time_point last_started_{};
    jobs::Pool pool_;
};

}  // namespace posiscope::figures
