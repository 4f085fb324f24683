#include "core/kernels/workers.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace posiscope {
namespace {

constexpr auto kLookFor = std::chrono::microseconds(50);

// Waits until `value` differs from `old`: spins for a while, then sleeps.
template <class T>
void wait_while(const std::atomic<T>& value, T old) {
    const auto end = std::chrono::steady_clock::now() + kLookFor;
    do
        for (int i = 0; i < 64; ++i)
            if (value.load(std::memory_order_acquire) != old) return;
    while (std::chrono::steady_clock::now() < end);
    value.wait(old, std::memory_order_acquire);
}

}  // namespace

// A system that gives no more threads (a page gives none, a container few) is worked on with those there are.
Workers::Workers(int threads) {
    try {
        for (int worker = 1; worker < threads; ++worker)
            threads_.emplace_back([this, worker] { wait_for_jobs(worker); });
    } catch (const std::system_error&) {}
}

Workers::~Workers() {
    ended_.store(true);
    started_.fetch_add(1);
    started_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Workers::start(const Job& job) {
    job_ = job;
    next_.store(0, std::memory_order_relaxed);
    if (threads_.empty() || job.tasks < 2) return take_part(0);
    busy_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    started_.fetch_add(1, std::memory_order_release);
    started_.notify_all();
    take_part(0);
    for (int left = busy_.load(std::memory_order_acquire); left != 0;
         left = busy_.load(std::memory_order_acquire))
        wait_while(busy_, left);
}

void Workers::take_part(int worker) noexcept {
    for (auto index = next_.fetch_add(1); index < job_.tasks; index = next_.fetch_add(1))
        job_.call(job_.task, index, worker);
}

void Workers::wait_for_jobs(int worker) noexcept {
    for (std::uint32_t seen = 0;; ++seen) {
        wait_while(started_, seen);
        if (ended_.load()) return;
        take_part(worker);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
}

}  // namespace posiscope
