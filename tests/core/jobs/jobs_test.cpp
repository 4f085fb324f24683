// The pool and the inbox: order, stopping, generations, failures as values, and the same without threads. What depends on
// order is forced by gates, so that each test is the same at every run.
#include "core/cost.hpp"
#include "core/jobs/inbox.hpp"
#include "core/jobs/parallel_for.hpp"
#include "core/jobs/pool.hpp"
#include "core/jobs/shared_cache.hpp"
#include "tests/gate.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace posiscope::jobs::jobs_test {
namespace {

using test::Gate;

bool once(const std::function<void()>& work) {
    work();
    return false;
}

TEST(Jobs, GoInTheOrderInWhichTheyWereStarted) {
    Pool pool({.threads = 1});
    std::string done;
    for (const char letter : {'a', 'b', 'c'})
        pool.start([&, letter] { return once([&] { done += letter; }); });
    pool.wait();
    EXPECT_EQ(done, "abc");
    EXPECT_TRUE(pool.idle());
}

TEST(Jobs, AreDoneByTurnsWhereThereAreNoThreads) {
    Pool pool({.threads = 0});
    std::string done;
    int pieces = 3;
    pool.start([&] { return done += 'a', --pieces > 0; });
    pool.start([&] { return once([&] { done += 'b'; }); });
    EXPECT_FALSE(pool.has_thread());
    EXPECT_TRUE(pool.runs_inline());
    EXPECT_EQ(done, "") << "not before its turn";
    pool.run_inline({});
    EXPECT_EQ(done, "a") << "one piece at least, and then the time is over";
    pool.pause(true);
    EXPECT_FALSE(pool.runs_inline());
    pool.pause(false);
    EXPECT_EQ(pool.withdraw(), std::vector<Pool::Id>{2}) << "the first has begun";
    pool.start([&] { return once([&] { done += 'c'; }); });
    pool.wait();
    EXPECT_EQ(done, "aaac");
    EXPECT_FALSE(pool.runs_inline());
}

TEST(Jobs, StopInTheMiddleOfAPiece) {
    Pool pool({.threads = 1});
    Stop stop;
    Gate begun;
    pool.start(
        [&]() -> bool {
            begun.open();
            for (;;) spend(1.0);  // ends by the stop alone
        },
        stop);
    begun.wait();
    stop.ask();
    pool.wait();
    EXPECT_FALSE(pool.take_problem()) << "to be stopped is no failure";
}

TEST(Jobs, ClosingStopsWhatRunsAndDropsTheRest) {
    Gate begun;
    bool second = false;
    {
        Pool pool({.threads = 1});
        pool.start([&]() -> bool {
            begun.open();
            for (;;) spend(1.0);
        });
        pool.start([&] { return once([&] { second = true; }); });
        begun.wait();
    }
    EXPECT_FALSE(second);
}

TEST(Jobs, PauseBetweenTwoPieces) {
    Pool pool({.threads = 1});
    Gate first, more;
    std::atomic<int> pieces = 0;
    pool.start([&] {
        if (++pieces > 1) return false;
        first.open();
        more.wait();
        return true;
    });
    first.wait();
    pool.pause(true);
    more.open();
    EXPECT_FALSE(pool.wait_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(20)));
    EXPECT_EQ(pieces, 1);
    pool.pause(false);
    pool.wait();
    EXPECT_EQ(pieces, 2);
}

TEST(Jobs, ThatHaveNotBegunAreTakenBackAndThoseThatHaveAreNot) {
    Pool pool({.threads = 1});
    Gate begun, end;
    std::string done;
    pool.start([&] {
        begun.open();
        end.wait();
        return once([&] { done += 'a'; });
    });
    const auto b = pool.start([&] { return once([&] { done += 'b'; }); });
    begun.wait();
    EXPECT_EQ(pool.withdraw(), std::vector{b});
    end.open();
    pool.wait();
    EXPECT_EQ(done, "a");
}

TEST(Jobs, WhatIsThrownIsAValue) {
    Pool pool({.threads = 1});
    pool.start([]() -> bool { throw std::runtime_error("no"); });
    pool.wait();
    const auto problem = pool.take_problem();
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->key, "program.failed");
    EXPECT_FALSE(pool.take_problem()) << "once";
    pool.start([]() -> bool { throw std::bad_alloc(); });
    pool.wait();
    EXPECT_EQ(pool.take_problem()->key, "memory.exhausted");
}

// The job of an earlier generation has its result only after forget(): it reaches nobody.
TEST(Jobs, OfAnEarlierGenerationGiveNothing) {
    Pool pool({.threads = 2});
    Inbox<int> inbox;
    Gate begun, forgotten;
    const auto order = [&](int result, Gate* until) {
        pool.start(
            [&, result, until, to = inbox.sender()] {
                begun.open();
                if (until != nullptr) until->wait();
                to.send(result);
                return false;
            },
            inbox.sender().stop());
    };
    order(1, &forgotten);
    begun.wait();
    inbox.forget();
    order(2, nullptr);
    forgotten.open();
    pool.wait();
    EXPECT_EQ(inbox.take(), std::vector{2});
    EXPECT_TRUE(inbox.take().empty()) << "once";
}

TEST(Jobs, AResultThatCameAndWasNotTakenIsForgottenToo) {
    Inbox<int> inbox;
    inbox.sender().send(1);
    inbox.forget();
    EXPECT_TRUE(inbox.take().empty());
}

// ---- The cache ---------------------------------------------------------------------------------------------------

TEST(Jobs, ACacheMakesAValueOnceAndKeepsTheLastOnes) {
    SharedCache<int, int> cache(2);
    int made = 0;
    const auto get = [&](int key) {
        return *cache.get(key, [&]() -> Result<int> { return ++made, 10 * key; });
    };
    EXPECT_EQ(get(1), 10);
    EXPECT_EQ(get(2), 20);
    EXPECT_EQ(get(1), 10);
    EXPECT_EQ(made, 2);
    get(3);
    get(1);
    EXPECT_EQ(made, 3) << "1 was asked for after 2";
    get(2);
    EXPECT_EQ(made, 4);
    EXPECT_FALSE(cache.get(7, []() -> Result<int> { return refuse("no"); }));
    EXPECT_TRUE(cache.get(7, []() -> Result<int> { return 1; })) << "a failure is not kept";
}

// A reader is in the middle of a file that is replaced: what it read is not what the next one gets.
TEST(Jobs, ACacheKeepsNothingThatWasForgottenWhileItWasMade) {
    SharedCache<int, std::string> cache(2);
    Pool pool({.threads = 1});
    Gate reading, forgotten;
    std::string read;
    pool.start([&] {
        read = *cache.get(1, [&]() -> Result<std::string> {
            reading.open();
            forgotten.wait();
            return std::string("old");
        });
        return false;
    });
    reading.wait();
    cache.forget([](int key) { return key == 1; });
    forgotten.open();
    pool.wait();
    EXPECT_EQ(read, "old");
    EXPECT_EQ(*cache.get(1, []() -> Result<std::string> { return std::string("new"); }), "new");
}

// While one reads, another value is there at once; the same one is waited for, as long as there is an allowance.
TEST(Jobs, AReaderBlocksNobody) {
    SharedCache<int, int> cache(2);
    Pool pool({.threads = 2});
    Gate reading, more;
    pool.start([&] {
        (void)cache.get(1, [&]() -> Result<int> {
            reading.open();
            more.wait();
            return 1;
        });
        return false;
    });
    reading.wait();
    EXPECT_EQ(*cache.get(2, []() -> Result<int> { return 2; }), 2);
    const auto none = []() -> Result<int> { return refuse("made twice"); };
    EXPECT_THROW(
        {
            const Allowance frame(5e6);
            (void)cache.get(1, none);
        },
        Interrupted);
    std::atomic<int> waited = 0;
    pool.start([&] {
        waited = *cache.get(1, none);
        return false;
    });
    more.open();
    pool.wait();
    EXPECT_EQ(waited, 1);
}

TEST(Jobs, TwoThreadsTakeWhatOneWouldTakeAfterTheOther) {
    Pool pool({.threads = 2});
    Gate first, second;
    pool.start([&] {
        first.open();
        second.wait();
        return false;
    });
    pool.start([&] {
        first.wait();
        second.open();
        return false;
    });
    pool.wait();  // one thread alone would fail at `second`
}

TEST(ParallelFor, EachPartIsDoneOnceAndWhatIsSpentIsSpentHere) {
    std::vector<std::atomic<int>> done(100);
    const double before = work_done();
    parallel_for(done.size(), 4, [&](std::size_t n) {
        spend(7.0);
        ++done[n];
    });
    for (const auto& times : done) EXPECT_EQ(times, 1);
    EXPECT_EQ(work_done() - before, 700.0);
    parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, WhatAPartThrowsIsThrownHereAndEndsTheOthers) {
    std::atomic<int> begun = 0;
    const auto parts = [&](std::size_t n) {
        ++begun;
        if (n == 3) throw std::runtime_error("the fourth");
    };
    EXPECT_THROW(parallel_for(1'000'000, 2, parts), std::runtime_error);
    EXPECT_LT(begun, 1'000'000);
}

TEST(ParallelFor, AStopReachesWhoeverHelps) {
    const Stop stop;
    std::atomic<int> whole = 0;
    Pool pool({.threads = 1});
    pool.start(
        [&] {
            parallel_for(1000, 2, [&](std::size_t n) {
                if (n == 10) stop.ask();
                spend(1.0);
                ++whole;
            });
            ADD_FAILURE() << "it was stopped";
            return false;
        },
        stop);
    pool.wait();
    EXPECT_LE(whole, 11);
    EXPECT_FALSE(pool.take_problem());
}

TEST(ParallelFor, UnderAnAllowanceThisThreadIsAlone) {
    const Allowance allowance(50.0);
    const auto here = std::this_thread::get_id();
    EXPECT_THROW(parallel_for(100, 4,
                              [&](std::size_t) {
                                  EXPECT_EQ(std::this_thread::get_id(), here);
                                  spend(1.0);
                              }),
                 Interrupted);
    EXPECT_EQ(work_left(), 0.0);
}

}  // namespace
}  // namespace posiscope::jobs::jobs_test
