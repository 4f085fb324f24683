// stop.hpp — asks jobs to end.
#pragma once

#include <atomic>
#include <memory>

namespace posiscope::jobs {

// Copies are one and the same. A job that computes under an Allowance with `flag` ends at its next spend() (core/cost.hpp).
class Stop {
public:
    void ask() const { asked_->store(true, std::memory_order_relaxed); }
    bool asked() const { return asked_->load(std::memory_order_relaxed); }
    const std::atomic<bool>* flag() const { return asked_.get(); }

private:
    std::shared_ptr<std::atomic<bool>> asked_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace posiscope::jobs
