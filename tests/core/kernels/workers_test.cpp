#include "core/kernels/workers.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace posiscope {
namespace {

RC_GTEST_PROP(Workers, DoEveryTaskOnce, ()) {
    Workers workers(*rc::gen::inRange(1, 5));
    const auto runs = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 300));
    for (const std::size_t tasks : runs) {
        std::vector<std::atomic<int>> done(tasks);
        std::atomic<bool> known = true;
        workers.run(static_cast<std::int64_t>(tasks), [&](std::int64_t task, int worker) {
            done[static_cast<std::size_t>(task)].fetch_add(1);
            if (worker < 0 || worker >= workers.count()) known = false;
        });
        RC_ASSERT(known.load());
        for (const auto& times : done) RC_ASSERT(times.load() == 1);
    }
}

TEST(Workers, WakeAfterTheySlept) {
    Workers workers(3);
    for (int run = 0; run < 5; ++run) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));  // longer than they look for work
        std::atomic<int> sum = 0;
        workers.run(100, [&](std::int64_t task, int) { sum += static_cast<int>(task); });
        EXPECT_EQ(sum.load(), 4950);
    }
}

// The room that a worker is told to use is its own while it uses it.
TEST(Workers, ShareNoWorkersIndex) {
    Workers workers(4);
    std::vector<std::atomic<int>> inside(4);
    std::atomic<bool> alone = true;
    workers.run(1000, [&](std::int64_t, int worker) {
        if (inside[static_cast<std::size_t>(worker)].fetch_add(1) != 0) alone = false;
        inside[static_cast<std::size_t>(worker)].fetch_sub(1);
    });
    EXPECT_TRUE(alone.load());
}

}  // namespace
}  // namespace posiscope
