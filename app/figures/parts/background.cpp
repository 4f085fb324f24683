#include "app/figures/parts/background.hpp"

#include "app/platform/threads.hpp"
#include "core/cost.hpp"

#include <algorithm>
#include <chrono>

namespace posiscope::figures {
namespace {

// Without threads a job runs between two frames, once nothing has changed for a while, and for a second at most: what
// takes longer stays rough.
constexpr double kBetweenFrames = 1e9;
constexpr auto kQuiet = std::chrono::milliseconds(250);
std::chrono::steady_clock::time_point last_started;

}  // namespace

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

void Background::begin_frame() {
    if (!platform::has_threads() && !jobs_.empty() &&
        std::chrono::steady_clock::now() - last_started > kQuiet) {
        const Job job = std::move(jobs_.front());
        jobs_.pop_front();
        const Allowance allowance(kBetweenFrames);
        job.run();
        wake_window_();
    }
    frame_began_ = work_done();
}

double Background::left() const { return std::max(0.0, kFrameWork - (work_done() - frame_began_)); }

void Background::start(std::function<void()> job, Stop stop) {
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(jobs_, [](const Job& one) { return one.stop->load(std::memory_order_relaxed); });
        jobs_.push_back({std::move(job), std::move(stop)});
        if (!platform::has_threads()) {
            last_started = std::chrono::steady_clock::now();
            return;
        }
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
