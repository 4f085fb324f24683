#include "core/jobs/pool.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

namespace posiscope::jobs {

Pool::~Pool() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        queue_.clear();
        for (const Stop& stop : running_) stop.ask();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

// One thread more if there is work for it. The lock is held.
void Pool::spawn_if_needed() {
    if (waiting_ >= queue_.size() || threads_.size() >= options_.threads || refused_) return;
    try {
        threads_.emplace_back([this] { work(); });
        ++waiting_;
    } catch (const std::system_error&) {  // those that there are do it all
        refused_ = true;
    }
}

Pool::Id Pool::start(Job job, Stop stop) {
    Id id = 0;
    {
        const std::lock_guard lock(mutex_);
        const auto unwanted = [](const Queued& queued) { return queued.stop.asked(); };
        if (!begun_inline_) std::erase_if(queue_, unwanted);
        queue_.push_back({id = next_++, std::move(job), std::move(stop)});
        spawn_if_needed();
    }
    changed_.notify_all();
    return id;
}

std::vector<Pool::Id> Pool::withdraw() {
    std::vector<Id> taken;
    const std::lock_guard lock(mutex_);
    const auto first = queue_.begin() + (begun_inline_ ? 1 : 0);
    for (auto queued = first; queued != queue_.end(); ++queued) taken.push_back(queued->id);
    queue_.erase(first, queue_.end());
    return taken;
}

void Pool::pause(bool on) {
    {
        const std::lock_guard lock(mutex_);
        paused_ = on;
    }
    changed_.notify_all();
}

bool Pool::paused() const {
    const std::lock_guard lock(mutex_);
    return paused_;
}

bool Pool::has_thread() {
    const std::lock_guard lock(mutex_);
    if (!threads_.empty() || options_.threads == 0) return !threads_.empty();
    try {
        threads_.emplace_back([this] { work(); });
        ++waiting_;
    } catch (const std::system_error&) {  // the next one may have more luck
        return false;
    }
    return true;
}

bool Pool::idle() const {
    const std::lock_guard lock(mutex_);
    return running_.empty() && queue_.empty();
}

void Pool::wait() {
    while (!wait_until(std::chrono::steady_clock::now() + std::chrono::hours(1))) {}
}

bool Pool::wait_until(std::chrono::steady_clock::time_point end) {
    if (runs_inline()) {
        run_inline(end);
        return idle();
    }
    Lock lock(mutex_);
    return changed_.wait_until(lock, end, [this] { return running_.empty() && queue_.empty(); });
}

bool Pool::runs_inline() const {
    const std::lock_guard lock(mutex_);
    return no_thread() && !queue_.empty() && !paused_;
}

void Pool::run_inline(std::chrono::steady_clock::time_point end) {
    Lock lock(mutex_);
    while (no_thread() && !queue_.empty() && !paused_) {
        begun_inline_ = true;
        if (!run_slice(queue_.front(), lock)) {  // which stays where it is: others come behind it
            begun_inline_ = false;
            std::optional<Queued> done(std::move(queue_.front()));
            queue_.pop_front();
            lock.unlock();
            done.reset();
            if (options_.ended) options_.ended();
            lock.lock();
        }
        if (std::chrono::steady_clock::now() >= end) return;
    }
}

std::optional<Problem> Pool::take_problem() {
    const std::lock_guard lock(mutex_);
    return std::exchange(problem_, std::nullopt);
}

// The lock is held before and after.
bool Pool::run_slice(const Queued& queued, Lock& lock) {
    lock.unlock();
    bool more = false;
    std::optional<Problem> problem;
    try {
        const Allowance allowance(std::numeric_limits<double>::infinity(), queued.stop.flag());
        more = !queued.stop.asked() && queued.job();
    } catch (const Interrupted&) {  // it was asked to stop
    } catch (const std::bad_alloc&) {
        problem = Problem{"memory.exhausted", {}, Cause::failure};
    } catch (const std::exception& error) {
        problem = Problem{"program.failed", {{"detail", error.what()}}, Cause::failure};
    }
    lock.lock();
    if (problem) problem_ = std::move(problem);
    return more;
}

void Pool::work() {
    if (options_.begin != nullptr) options_.begin();
    Lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return ended_ || (!queue_.empty() && !paused_); });
        if (ended_) return;
        Queued queued = std::move(queue_.front());
        queue_.pop_front();
        --waiting_;
        running_.push_back(queued.stop);
        spawn_if_needed();
        while (run_slice(queued, lock)) {
            changed_.wait(lock, [&] { return ended_ || !paused_ || queued.stop.asked(); });
            if (ended_) break;
        }
        lock.unlock();
        queued.job = nullptr;  // and what it holds
        lock.lock();
        const auto same = [&](const Stop& stop) { return stop.flag() == queued.stop.flag(); };
        running_.erase(std::find_if(running_.begin(), running_.end(), same));
        ++waiting_;
        lock.unlock();
        changed_.notify_all();
        if (options_.ended) options_.ended();
        lock.lock();
    }
}

}  // namespace posiscope::jobs
