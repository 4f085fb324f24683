#include "app/figures/parts/background.hpp"

namespace posiscope::figures {

const Problem& being_made() {
    static const Problem problem{"figure.working", {}};
    return problem;
}

Background::~Background() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        jobs_.clear();
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Background::start(std::function<void()> job) {
    {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
        ++unfinished_;
        if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    }
    wake_.notify_one();
}

bool Background::working() const {
    const std::lock_guard lock(mutex_);
    return unfinished_ > 0;
}

void Background::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return ended_ || !jobs_.empty(); });
        if (ended_) return;
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job();
        lock.lock();
        --unfinished_;
        lock.unlock();
        wake_window_();
        lock.lock();
    }
}

}  // namespace posiscope::figures
