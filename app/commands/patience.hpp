// patience.hpp — says on the terminal, now and then, that a command still computes: a Scene of a hundred bytes may ask for
// minutes of work, and an exact picture or number waits for it.
#pragma once

#include "app/commands/options.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace posiscope::commands {

class Patience {
public:
    // Says it after `first`, then after twice that time each.
    explicit Patience(const Terminal& terminal, std::chrono::milliseconds first = std::chrono::seconds(5));
    ~Patience();
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::thread thread_;
};

}  // namespace posiscope::commands
