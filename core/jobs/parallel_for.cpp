#include "core/jobs/parallel_for.hpp"

#include "core/cost.hpp"
#include "core/jobs/pool.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>

namespace posiscope::jobs {
namespace {

class Parts {
public:
    Parts(std::size_t count, const std::function<void(std::size_t)>& part) : count_(count), part_(part) {}

    void take() {
        const double before = work_done();
        try {
            while (!failed_) {
                const std::size_t next = next_++;
                if (next >= count_) break;
                part_(next);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failed_.exchange(true)) failure_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        spent_ += work_done() - before;
    }
    double spent() const { return spent_; }
    const std::exception_ptr& failure() const { return failure_; }

private:
    const std::size_t count_;
    const std::function<void(std::size_t)>& part_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::mutex mutex_;
    std::exception_ptr failure_;
    double spent_ = 0.0;
};

}  // namespace

void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& part) {
    threads = std::min({threads, count, std::size_t{std::max(1U, std::thread::hardware_concurrency())}});
    if (std::isfinite(work_left())) threads = 1;
    Parts parts(count, part);
    const double before = work_done();
    if (threads > 1) {
        Pool helpers({.threads = threads - 1});
        const Budget here = current_budget();
        for (std::size_t n = 1; n < threads; ++n)
            helpers.start([&] {
                const BudgetScope of(here);
                parts.take();
                return false;
            });
        parts.take();
        helpers.withdraw();  // those that got no thread
        helpers.wait();
        count_spent(parts.spent() - (work_done() - before));
    } else {
        parts.take();
    }
    if (parts.failure()) std::rethrow_exception(parts.failure());
}

}  // namespace posiscope::jobs
