// shelf.hpp — values that take long to make, shared by threads: each is made once, and no lock is held meanwhile.
#pragma once

#include "core/cost.hpp"
#include "core/problem.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace posiscope::jobs {

template <class Key, class Value>
class Shelf {
public:
    // Keeps so many values, those that were asked for last.
    explicit Shelf(std::size_t most) : most_(most) {}

    // The kept value, or make(), which is kept unless it failed or forget() came meanwhile. Who asks for one that another
    // thread makes waits for it: that is work too (core/cost.hpp), so that a frame's allowance ends it.
    template <class Make>
    Result<Value> get(const Key& key, Make make) {
        std::unique_lock lock(mutex_);
        for (;;) {
            if (find(key)) return kept_.back().second;
            if (std::find(made_.begin(), made_.end(), key) == made_.end()) break;
            changed_.wait_for(lock, kWait);
            lock.unlock();
            spend(kWaited);
            lock.lock();
        }
        const Making making(*this, key, lock);
        const std::uint64_t generation = generation_;
        lock.unlock();
        Result<Value> value = make();
        lock.lock();
        if (!value || generation != generation_) return value;
        if (kept_.size() == most_) kept_.erase(kept_.begin());
        kept_.emplace_back(key, *value);
        return value;
    }

    // Only what is kept.
    std::optional<Value> kept(const Key& key) {
        const std::lock_guard lock(mutex_);
        return find(key) ? std::optional(kept_.back().second) : std::nullopt;
    }

    // make() in place of the kept value, which others are given until then.
    template <class Make>
    void renew(const Key& key, Make make) {
        Result<Value> value = make();
        forget([&](const Key& one) { return one == key; });
        if (value) (void)get(key, [&] { return value; });
    }

    // Those of these keys, and all that are made just now.
    template <class Condition>
    void forget(Condition condition) {
        const std::lock_guard lock(mutex_);
        ++generation_;
        std::erase_if(kept_, [&](const auto& one) { return condition(one.first); });
    }

private:
    static constexpr auto kWait = std::chrono::milliseconds(1);
    static constexpr double kWaited = 1e6;  // units: that long

    // While it is made; also when that ends by an exception.
    class Making {
    public:
        Making(Shelf& shelf, const Key& key, std::unique_lock<std::mutex>& lock)
            : shelf_(shelf), key_(key), lock_(lock) {
            shelf_.made_.push_back(key_);
        }
        ~Making() {
            if (!lock_.owns_lock()) lock_.lock();
            shelf_.made_.erase(std::find(shelf_.made_.begin(), shelf_.made_.end(), key_));
            shelf_.changed_.notify_all();
        }
        Making(const Making&) = delete;
        Making& operator=(const Making&) = delete;

    private:
        Shelf& shelf_;
        const Key& key_;
        std::unique_lock<std::mutex>& lock_;
    };

    // Makes it the last one.
    bool find(const Key& key) {
        const auto kept =
            std::find_if(kept_.begin(), kept_.end(), [&](const auto& one) { return one.first == key; });
        if (kept == kept_.end()) return false;
        std::rotate(kept, kept + 1, kept_.end());
        return true;
    }

    const std::size_t most_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::pair<Key, Value>> kept_;  // the one asked for last comes last
    std::vector<Key> made_;                    // just now
    std::uint64_t generation_ = 0;
};

}  // namespace posiscope::jobs
