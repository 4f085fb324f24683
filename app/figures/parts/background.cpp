#include "app/figures/parts/background.hpp"

#include "core/cost.hpp"

#include <algorithm>

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
        if (running_) running_->store(true, std::memory_order_relaxed);
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Background::begin_frame() { frame_began_ = work_done(); }

double Background::left() const { return std::max(0.0, kFrameWork - (work_done() - frame_began_)); }

void Background::start(std::function<void()> job, Stop stop) {
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(jobs_, [](const Job& one) { return one.stop->load(std::memory_order_relaxed); });
        jobs_.push_back({std::move(job), std::move(stop)});
        if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    }
    wake_.notify_one();
}

bool Background::working() const {
    const std::lock_guard lock(mutex_);
    return running_ != nullptr || !jobs_.empty();
}

void Background::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return ended_ || !jobs_.empty(); });
        if (ended_) return;
        const Job job = std::move(jobs_.front());
        jobs_.pop_front();
        running_ = job.stop;
        lock.unlock();
        job.run();
        lock.lock();
        running_ = nullptr;
        lock.unlock();
        wake_window_();
        lock.lock();
    }
}

}  // namespace posiscope::figures
