// shared_cache.hpp — a cache for several threads: each value is made once, outside the lock, and those used last are kept.
#pragma once

#include "core/cost.hpp"
#include "core/jobs/of_this_thread.hpp"
#include "core/problem.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace posiscope::jobs {

template <class Key, class Value>
class SharedCache {
public:
    // Keeps values that weigh at most `most` together, and always the last one. Without `weight` each weighs 1.
    explicit SharedCache(double most, double (*weight)(const Value&) = nullptr)
        : most_(most), weight_(weight) {}

    // The kept value, or make(), which is kept unless it failed or forget() came meanwhile. A thread that asks for a value
    // while another makes it waits, and waiting is work too (core/cost.hpp), so that a frame's allowance ends it.
    template <class Make>
    Result<Value> get(const Key& key, Make make) {
        std::unique_lock lock(mutex_);
        for (;;) {
            if (const Value* value = find(key)) return *value;
            if (std::find(made_.begin(), made_.end(), key) == made_.end()) break;
            if (changed_.wait_for(lock, kWait) == std::cv_status::no_timeout) continue;
            lock.unlock();
            spend(kWaited);
            lock.lock();
        }
        const Making making(*this, key, lock);
        const std::uint64_t generation = generation_;
        lock.unlock();
        Result<Value> value = make();
        lock.lock();
        if (value && generation == generation_) keep(key, *value);
        return value;
    }

    // The same for inner loops, where make() cannot fail: this thread's last value is found without a lock. It is valid until
    // this thread asks a cache of this type again.
    template <class Make>
    const Value& recent(const Key& key, Make make) {
        struct Last {
            std::uint64_t cache = 0;
            Key key{};
            Value value{};
        };
        Last& last = of_this_thread<Last, Last>();
        if (last.cache != id_ || !(last.key == key)) {
            last.cache = 0;  // make() may throw
            last.value = *get(key, [&]() -> Result<Value> { return make(); });
            last.key = key;
            last.cache = id_;
        }
        return last.value;
    }

    std::optional<Value> kept(const Key& key) {
        const std::lock_guard lock(mutex_);
        const Value* value = find(key);
        return value != nullptr ? std::optional(*value) : std::nullopt;
    }

    // make() in place of the kept value, which others get until it is made.
    template <class Make>
    void renew(const Key& key, Make make) {
        Result<Value> value = make();
        forget([&](const Key& one) { return one == key; });
        if (value) (void)get(key, [&] { return value; });
    }

    // Drops the values of these keys; a value that is being made is returned but not kept.
    template <class Condition>
    void forget(Condition condition) {
        const std::lock_guard lock(mutex_);
        ++generation_;
        for (auto one = by_key_.begin(); one != by_key_.end();)
            if (condition(one->first)) {
                weight_kept_ -= weight_of(one->second->second);
                kept_.erase(one->second);
                one = by_key_.erase(one);
            } else {
                ++one;
            }
    }

private:
    static constexpr auto kWait = std::chrono::milliseconds(1);
    static constexpr double kWaited = 1e6;  // units of kWait

    // Marks a key as being made, also when that ends by an exception.
    class Making {
    public:
        Making(SharedCache& cache, const Key& key, std::unique_lock<std::mutex>& lock)
            : cache_(cache), key_(key), lock_(lock) {
            cache_.made_.push_back(key_);
        }
        ~Making() {
            if (!lock_.owns_lock()) lock_.lock();
            cache_.made_.erase(std::find(cache_.made_.begin(), cache_.made_.end(), key_));
            cache_.changed_.notify_all();
        }
        Making(const Making&) = delete;
        Making& operator=(const Making&) = delete;

    private:
        SharedCache& cache_;
        const Key& key_;
        std::unique_lock<std::mutex>& lock_;
    };

    using Entries = std::list<std::pair<Key, Value>>;  // the one used last comes last

    double weight_of(const Value& value) const { return weight_ != nullptr ? weight_(value) : 1.0; }

    const Value* find(const Key& key) {
        const auto found = by_key_.find(key);
        if (found == by_key_.end()) return nullptr;
        kept_.splice(kept_.end(), kept_, found->second);
        return &kept_.back().second;
    }

    void keep(const Key& key, const Value& value) {
        weight_kept_ += weight_of(value);
        while (weight_kept_ > most_ && !kept_.empty()) {
            weight_kept_ -= weight_of(kept_.front().second);
            by_key_.erase(kept_.front().first);
            kept_.pop_front();
        }
        kept_.emplace_back(key, value);
        by_key_.emplace(key, std::prev(kept_.end()));
    }

    static std::uint64_t next_id() {
        static std::atomic<std::uint64_t> last = 0;
        return ++last;
    }

    const std::uint64_t id_ = next_id();
    const double most_;
    double (*const weight_)(const Value&);
    std::mutex mutex_;
    std::condition_variable changed_;
    Entries kept_;
    std::map<Key, typename Entries::iterator> by_key_;
    std::vector<Key> made_;  // just now
    double weight_kept_ = 0.0;
    std::uint64_t generation_ = 0;
};

}  // namespace posiscope::jobs
