// memo.hpp — caches. A key is a struct with everything its value is computed from: numbers and other cached values. The
// function that computes the value gets the key and captures nothing, so it cannot read anything else, and no key can miss
// a dependency.
#pragma once

#include "app/figures/parts/background.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace posiscope::figures {

// An immutable value, shared with the keys of values computed from it. Two are equal if they are the same object, so that
// checking a key copies nothing.
template <class T>
using Kept = std::shared_ptr<const T>;

// A copy of a value: the same object while the value stays equal.
template <class T>
class Same {
public:
    template <class Like>
    const Kept<T>& of(const Like& value) {
        if (!kept_ || !(*kept_ == value)) kept_ = std::make_shared<const T>(value);
        return kept_;
    }

private:
    Kept<T> kept_;
};

// A part of a Scene; only the part is compared and copied.
template <class Part, class Scene>
const Kept<Part>& part_of(Same<Part>& same, const Scene& scene) {
    return same.of(static_cast<const Part&>(scene));
}

// A value and its key.
template <class Key, class Value>
class Memo {
public:
    template <class Make>
    const Kept<Value>& get(const Key& key, Make make) {
        static_assert(std::is_empty_v<Make>, "a cached value is a function of its key");
        if (!key_ || !(*key_ == key)) {
            Key made_from(key);
            value_ = std::make_shared<const Value>(make(std::as_const(made_from)));
            key_.emplace(std::move(made_from));
        }
        return value_;
    }

private:
    std::optional<Key> key_;
    Kept<Value> value_;
};

// The same for a value that may take longer than a frame: a window computes it in the background.
template <class Key, class Value>
class Slow {
public:
    // The value, or null while it is computed. `cost` estimates the time from the key, in nanoseconds.
    template <class Cost, class Make>
    Kept<Value> get(Background* background, const Key& key, Cost cost, Make make) {
        static_assert(std::is_empty_v<Make>, "a cached value is a function of its key");
        if (key_ && *key_ == key) return value_;
        if (background == nullptr || cost(key) <= kPatience) {
            Key made_from(key);
            value_ = std::make_shared<const Value>(make(std::as_const(made_from)));
            key_.emplace(std::move(made_from));
            return value_;
        }
        if (job_ && job_->done.load(std::memory_order_acquire)) {
            const std::shared_ptr<Job> job = std::exchange(job_, nullptr);
            if (job->key == key) {
                if (job->thrown) std::rethrow_exception(job->thrown);
                key_.emplace(job->key);
                value_ = job->value;
                return value_;
            }
        }
        if (!job_) {  // one at a time: a job for an old key finishes first
            job_ = std::make_shared<Job>(key);
            background->start([job = job_, make] {
                try {
                    job->value = std::make_shared<const Value>(make(std::as_const(job->key)));
                } catch (...) {
                    job->thrown = std::current_exception();
                }
                job->done.store(true, std::memory_order_release);
            });
        }
        return nullptr;
    }

private:
    struct Job {
        explicit Job(const Key& of) : key(of) {}
        Key key;
        Kept<Value> value;
        std::exception_ptr thrown;
        std::atomic<bool> done = false;
    };

    std::optional<Key> key_;
    Kept<Value> value_;
    std::shared_ptr<Job> job_;
};

// The same for a value that is in no key: it is overwritten in place, which reuses its memory.
template <class Key, class Value>
class Refilled {
public:
    template <class Refill>
    Value& get(const Key& key, Refill refill) {
        static_assert(std::is_empty_v<Refill>, "a cached value is a function of its key");
        if (!key_ || !(*key_ == key)) {
            key_.reset();
            refill(value_, key);
            key_.emplace(key);
        }
        return value_;
    }

private:
    std::optional<Key> key_;
    Value value_{};
};

// The last few values, for the handful of distances that a frame asks for.
template <class Key, class Value, std::size_t N = 4>
class Few {
public:
    template <class Make>
    const Value& get(const Key& key, Make make) {
        static_assert(std::is_empty_v<Make>, "a cached value is a function of its key");
        for (const auto& one : kept_)
            if (one && one->first == key) return one->second;
        auto& place = kept_[next_++ % N];
        place.emplace(key, make(key));
        return place->second;
    }

private:
    std::array<std::optional<std::pair<Key, Value>>, N> kept_;
    std::size_t next_ = 0;
};

}  // namespace posiscope::figures
