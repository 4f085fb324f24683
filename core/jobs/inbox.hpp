// inbox.hpp — the results of jobs, for the thread that ordered them. Each forget() begins a new generation: what was ordered
// before is asked to stop, and what it still sends reaches nobody.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace posiscope::jobs {

// Asks jobs to end.
// Copies are one and the same. A job that computes under an Allowance with `flag` ends at its next spend() (core/cost.hpp).
class Stop {
public:
    void ask() const { asked_->store(true, std::memory_order_relaxed); }
    bool asked() const { return asked_->load(std::memory_order_relaxed); }
    const std::atomic<bool>* flag() const { return asked_.get(); }

private:
    std::shared_ptr<std::atomic<bool>> asked_ = std::make_shared<std::atomic<bool>>(false);
};

template <class T>
class Inbox {
    struct Generation {
        Stop stop;
        std::atomic<bool> any = false;
        std::mutex mutex;
        std::vector<T> results;
    };

public:
    // A job's end of the inbox, for the generation in which it was ordered.
    class Sender {
    public:
        void send(T result) const {
            const std::lock_guard lock(to_->mutex);
            if (to_->stop.asked()) return;
            to_->results.push_back(std::move(result));
            to_->any.store(true, std::memory_order_release);
        }
        const Stop& stop() const { return to_->stop; }

    private:
        friend Inbox;
        explicit Sender(std::shared_ptr<Generation> to) : to_(std::move(to)) {}
        std::shared_ptr<Generation> to_;
    };

    Inbox() = default;
    Inbox(Inbox&& other) noexcept : now_(std::move(other.now_)) {}
    Inbox& operator=(Inbox&& other) noexcept {
        forget();
        now_ = std::move(other.now_);
        return *this;
    }
    ~Inbox() { forget(); }

    Sender sender() {
        if (!now_) now_ = std::make_shared<Generation>();
        return Sender(now_);
    }
    // The results so far, in the order in which they were sent. Allocates and locks nothing while there is none.
    std::vector<T> take() {
        std::vector<T> results;
        if (!now_ || !now_->any.load(std::memory_order_acquire)) return results;
        const std::lock_guard lock(now_->mutex);
        now_->any = false;
        results.swap(now_->results);
        return results;
    }
    // Gives what had come until then.
    std::vector<T> forget() {
        std::vector<T> last;
        if (!now_) return last;
        {
            const std::lock_guard lock(now_->mutex);
            now_->stop.ask();
            last.swap(now_->results);
        }
        now_ = nullptr;
        return last;
    }

private:
    std::shared_ptr<Generation> now_;  // null: nothing was ordered since the last forget()
};

}  // namespace posiscope::jobs
