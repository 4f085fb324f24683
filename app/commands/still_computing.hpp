// still_computing.hpp — says on the terminal how long a command is going to compute, where that was announced, and now and then that
// it still does: a Scene of a hundred bytes may ask for minutes of work, and an exact picture or number waits for it.
#pragma once

#include "app/commands/options.hpp"
#include "core/cost.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace posiscope::commands {

class StillComputing {
public:
    // Times the thread that makes it. Says it after `first`, then after twice that time each.
    explicit StillComputing(const Terminal& terminal,
                            std::chrono::milliseconds first = std::chrono::seconds(5));
    ~StillComputing();
    StillComputing(const StillComputing&) = delete;
    StillComputing& operator=(const StillComputing&) = delete;

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    Progress progress_;
    std::thread thread_;
};

}  // namespace posiscope::commands
