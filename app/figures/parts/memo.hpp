// memo.hpp — caches. A key is a struct with everything its value is computed from: numbers and other cached values. The
// function that computes the value gets the key and captures nothing, so it cannot read anything else, and no key can miss
// a dependency.
// Five kinds, since each leaves out what another needs: Same has no key, Memo one value, Slow a second thread, Refilled memory
// that is reused in each frame of a drag, Few several values of one frame. What threads share is core/jobs' SharedCache.
#pragma once

#include "app/figures/parts/background.hpp"
#include "core/cost.hpp"
#include "core/jobs/inbox.hpp"

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

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

// The same for a value that may take longer than a frame. A window computes it at once if the frame's allowance is enough
// (core/cost.hpp counts), else in the background; nothing is estimated.
template <class Key, class Value>
class Slow {
public:
    // `share`: how much of a frame's allowance it may use up.
    Slow() = default;
    explicit Slow(double share) : share_(share) {}

    // The value, or null while it is computed.
    template <class Make>
    Kept<Value> get(Background* background, const Key& key, Make make) {
        static_assert(std::is_empty_v<Make>, "a cached value is a function of its key");
        if (key_ && *key_ == key) return value_;
        if (failed_key_ && *failed_key_ == key) std::rethrow_exception(failure_);
        if (pending_ && !(*pending_ == key)) {  // nobody wants it any more
            inbox_.forget();
            pending_.reset();
        }
        if (pending_) {
            const std::vector<Made> made = inbox_.take();
            return made.empty() ? nullptr : take(made.front());
        }
        if (background == nullptr) return keep(key, make);
        if (!long_) {
            try {
                const Allowance allowance(share_ * background->left());
                return keep(key, make);
            } catch (const Interrupted&) {}
        }
        start(*background, key, make);
        return nullptr;
    }

    // The same, with a rough value until the exact one is there; null if even that takes long.
    template <class Make, class Rough>
    Kept<Value> get(Background* background, const Key& key, Make make, Rough rough) {
        static_assert(std::is_empty_v<Rough>, "a cached value is a function of its key");
        if (Kept<Value> exact = get(background, key, make)) {
            rough_key_.reset();
            return exact;
        }
        if (!rough_key_ || !(*rough_key_ == key)) {
            rough_ = nullptr;
            rough_key_.emplace(key);
            try {
                const Allowance allowance(kRoughWork);
                rough_ = std::make_shared<const Value>(rough(key));
            } catch (const Interrupted&) {}
        }
        return rough_;
    }

private:
    struct Made {
        Kept<Value> value;
        std::exception_ptr thrown;
        double units = 0.0;
    };

    template <class Make>
    const Kept<Value>& keep(const Key& key, Make make) try {
        Key made_from(key);
        value_ = std::make_shared<const Value>(make(std::as_const(made_from)));
        key_.emplace(std::move(made_from));
        return value_;
    } catch (const Interrupted&) {
        throw;
    } catch (const std::bad_alloc&) {  // there may be memory in the next frame, and a try is short
        throw;
    } catch (...) {
        fail(key, std::current_exception());
    }

    // Whoever asks for the same value again is thrown the same: it would only fail again, in each frame.
    [[noreturn]] void fail(const Key& key, std::exception_ptr thrown) {
        failed_key_.emplace(key);
        failure_ = thrown;
        std::rethrow_exception(thrown);
    }

    Kept<Value> take(const Made& made) {
        std::optional<Key> key = std::exchange(pending_, std::nullopt);
        if (made.thrown) fail(*key, made.thrown);
        // A drag asks for value after value: it does not try in vain each time.
        long_ = made.units > 0.5 * kFrameWork;
        key_.emplace(std::move(*key));
        value_ = made.value;
        return value_;
    }

    template <class Make>
    void start(Background& background, const Key& key, Make make) {
        long_ = true;
        pending_.emplace(key);
        background.start(
            [key, make, to = inbox_.sender()] {
                Made made;
                try {
                    const double before = work_done();
                    made.value = std::make_shared<const Value>(make(key));
                    made.units = work_done() - before;
                } catch (const Interrupted&) {  // nobody asks for it
                    return;
                } catch (...) {
                    made.thrown = std::current_exception();
                }
                to.send(std::move(made));
            },
            inbox_.sender().stop());
    }

    std::optional<Key> key_, rough_key_, pending_, failed_key_;
    Kept<Value> value_, rough_;
    std::exception_ptr failure_;
    jobs::Inbox<Made> inbox_;
    double share_ = 1.0;
    bool long_ = false;  // the last one did not fit in a frame
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
