// pool.hpp — a few threads that do jobs in the order in which they were started. A job is a function that does a piece of its
// work at each call, and false ends it: so it can be paused, and done by turns where there is no thread.
// Threads are made when there is work for them. Where the system has none (a page) or gives none, run_inline() does the work.
#pragma once

#include "core/jobs/inbox.hpp"
#include "core/problem.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace posiscope::jobs {

class Pool {
public:
    struct Options {
        std::size_t threads = 1;        // at most; 0: none
        void (*begin)() = nullptr;      // what each thread does first
        std::function<void()> ended{};  // called after each job, by its thread
    };
    explicit Pool(Options options) : options_(std::move(options)) {}
    ~Pool();  // asks the jobs that run to stop and waits for their present pieces; drops the others
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // True while there is more to do. Runs under an Allowance with the job's Stop, so that spend() ends it.
    using Job = std::function<bool()>;
    using Id = std::uint64_t;
    Id start(Job job, Stop stop = {});
    // Takes back the jobs that have not begun, and says which.
    std::vector<Id> withdraw();
    // Jobs that run wait after their present pieces, the others where they are.
    void pause(bool on);
    bool paused() const;

    // True if there is a thread: makes one if there is none yet. For jobs that wait, which run_inline() would wait for.
    bool has_thread();
    bool idle() const;
    void wait();  // until it is idle; does the work itself where there is no thread
    // The same until `end`; true: it is idle.
    bool wait_until(std::chrono::steady_clock::time_point end);

    // Without threads: whether there is work for run_inline(), which does pieces of it until `end`, at least one.
    bool runs_inline() const;
    void run_inline(std::chrono::steady_clock::time_point end);

    // Once: what a job threw.
    std::optional<Problem> take_problem();

private:
    struct Queued {
        Id id;
        Job job;
        Stop stop;
    };
    using Lock = std::unique_lock<std::mutex>;
    void spawn_if_needed();
    void work();
    bool run_slice(const Queued& queued, Lock& lock);
    bool no_thread() const { return threads_.empty() && (options_.threads == 0 || refused_); }

    const Options options_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Queued> queue_;   // by turns: the first may have begun
    std::vector<Stop> running_;  // on threads
    std::size_t waiting_ = 0;    // threads without a job
    std::vector<std::thread> threads_;
    Id next_ = 1;
    bool begun_inline_ = false;  // the first of the queue
    bool paused_ = false, ended_ = false, refused_ = false;
    std::optional<Problem> problem_;
};

}  // namespace posiscope::jobs
