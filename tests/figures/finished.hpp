// finished.hpp — waiting for what a figure computes in the background. The limit is for a hang alone: a busy machine is
// slow, not wrong.
#pragma once

#include "app/figures/parts/background.hpp"

#include <chrono>
#include <thread>

namespace posiscope::test {

inline bool finished(const figures::Background& background) {
    using namespace std::chrono;
    const auto end = steady_clock::now() + minutes(10);
    while (background.working() && steady_clock::now() < end) std::this_thread::sleep_for(milliseconds(5));
    return !background.working();
}

}  // namespace posiscope::test
